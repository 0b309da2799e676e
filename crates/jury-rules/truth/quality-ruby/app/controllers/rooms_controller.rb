class RoomsController < ApplicationController
  def create
    flash[:error] = "taken"
    render :new
  end
  def destroy
    flash[:notice] = "gone"
    redirect_to rooms_path
  end
  def index
    I18n.locale = :fr
    @rooms = Room.where.not(taken: true, old: true)
    @halls = Room.where.not(taken: true)
    abort("none")
  end
end
class Room < ApplicationRecord
  scope :free, where(taken: false)
  scope :large, -> { where(size: 3) }
end
