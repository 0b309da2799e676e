require "open3"

class WorkshopController < ApplicationController
  skip_before_action :authenticate_member!, except: [:destroy]
  skip_before_action :authenticate_member!, only: [:index]

  def tool
    Process.spawn([params[:tool], "tool"], "--help")
  end

  def fixed_tool
    Process.spawn(["file", "file"], params[:name])
  end

  def shell(line)
    Open3.capture2(["/bin/sh", "-c", line])
  end

  def fixed_shell
    Open3.capture2(["/bin/sh", "-c", "uptime"])
  end

  def remember
    session[params[:drawer]] = "open"
  end

  def remember_one
    session[:drawer] = params[:drawer]
  end

  def search
    Bench.all.select { |bench| bench.name =~ /#{params[:name]}/ }
  end

  def careful_search
    Bench.all.select { |bench| bench.name =~ /#{Regexp.escape(params[:name])}/ }
  end

  def region
    status_of("https://#{params[:region]}/status")
  end

  def query
    status_of("https://bench.example.com/status?region=#{params[:region]}")
  end

  def entered
    logger.warn("no bench called " + params[:name])
  end

  def entered_plainly
    logger.warn("no bench called " + params[:name].inspect)
  end

  def wood
    render partial: params[:wood]
  end

  def wood_of
    render partial: "wood", locals: { wood: params[:wood] }
  end
end

class Bench < ApplicationRecord
  validates :code, format: { with: /^[A-Z]{3}$/ }
  validates :label, format: { with: /\A[A-Z]{3}\z/ }
end

Workshop.config.force_ssl = false
Workshop.config.force_ssl = true
