class DraftsController < ApplicationController
  def edit
    if request.get?
      render :form
    else
      Draft.create!(draft_params)
    end
  end

  def change
    if request.post?
      Draft.create!(draft_params)
    else
      render :form
    end
  end

  def purge
    Draft.all.each(&:destroy)
  end

  def clear
    Draft.all.find_each(&:destroy)
  end

  def load_state
    JSON.load(session[:state])
  end
end
