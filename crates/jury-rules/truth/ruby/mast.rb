require "zip"

class MastController < ApplicationController
  def unpack
    Zip::File.open("/srv/in.zip").each do |entry|
      File.binwrite(entry.name, entry.get_input_stream.read)
    end
  end

  def unpack_within
    Zip::File.open("/srv/in.zip").each do |entry|
      name = entry.name
      next unless File.expand_path(name).start_with?("/srv/masts/")
      File.binwrite(name, entry.get_input_stream.read)
    end
  end

  def wind
    Faraday.new(url: params[:station]).get
    Excon.get("weather/wind/#{params[:station]}")
  end

  def raise_sail
    hoist
  rescue KeyError => e
    render body: e.backtrace.first(5), status: 500
  end

  def raise_flag
    hoist
  rescue KeyError => e
    logger.error(e.backtrace.first(5))
    render body: "no such flag", status: 500
  end

  def where
    frames = caller_locations
    render plain: frames.map(&:to_s).join("\n")
  end

  def here
    render plain: "at #{Mast.count} masts"
  end
end

class Rig
  def enter(name, passphrase)
    entry_logger.info("#{name} came in with #{passphrase}")
    entry_logger.info("#{name} came in with #{passphrase.length} letters")
  end

  def charts
    Down.download("http://charts.mast-yard.org/plotter.deb")
    Down.download("https://charts.mast-yard.org/plotter.deb")
  end

  def tides
    HTTParty.get("http://tides.mast-yard.org/today")
    HTTParty.get("http://localhost:4567/today")
  end

  def label(text)
    text.sub('"', "&quot;")
  end

  def whole_label(text)
    text.gsub('"', "&quot;")
  end

  def literal(text)
    text.gsub(/["']/, '\\\\\0')
  end

  def whole_literal(text)
    text.gsub(/[\\"']/, '\\\\\0')
  end

  def below(name)
    name.sub(/\.\.\//, "")
  end

  def far_below(name)
    name = name.sub("../", "") until name.index("../").nil?
    name
  end
end
