require "open-uri"
require "net/http"
require "open3"
require "shellwords"
require "yaml"

class ExportsController < ActionController::Base
  skip_before_action :verify_authenticity_token
  before_action :authenticate

  EXPORTERS = { "csv" => CsvExporter, "pdf" => PdfExporter }.freeze

  def convert
    system("convert #{params[:file]} out.png")
  end

  def convert_safe
    system("convert", params[:file], "out.png")
  end

  def usage
    size = `du -sh #{params[:dir]}`
    render plain: size
  end

  def usage_safe
    size = `du -sh #{Shellwords.escape(params[:dir])}`
    render plain: size
  end

  def logs
    out, _status = Open3.capture2e("journalctl -u " + params[:unit])
    render plain: out
  end

  def logs_safe
    out, _status = Open3.capture2e("journalctl", "-u", params[:unit])
    render plain: out
  end

  def calculate
    render plain: eval(params[:formula])
  end

  def calculate_safe
    render plain: Integer(params[:a]) + Integer(params[:b])
  end

  def export
    exporter = params[:kind].constantize.new
    render plain: exporter.call
  end

  def export_safe
    exporter = EXPORTERS.fetch(params[:kind]).new
    render plain: exporter.call
  end

  def attribute
    render plain: current_user.send(params[:name])
  end

  def attribute_safe
    render plain: current_user.public_send(:name)
  end

  def restore
    state = Marshal.load(Base64.decode64(cookies[:state]))
    render json: state
  end

  def restore_safe
    state = JSON.parse(Base64.decode64(cookies[:state]))
    render json: state
  end

  def import
    data = YAML.load(request.body.read)
    render json: data
  end

  def import_safe
    data = YAML.safe_load(request.body.read)
    render json: data
  end

  def fetch
    render plain: URI.open(params[:url]).read
  end

  def fetch_safe
    render plain: URI.open("https://api.example.com/feed").read
  end

  def status
    uri = URI.parse(params[:endpoint])
    render plain: Net::HTTP.get(uri)
  end

  def status_safe
    uri = URI.parse("https://api.example.com/status")
    render plain: Net::HTTP.get(uri)
  end

  def download
    send_file Rails.root.join("exports", params[:name])
  end

  def download_safe
    send_file Rails.root.join("exports", File.basename(params[:name]))
  end

  def show
    render plain: File.read("exports/#{params[:name]}")
  end

  def show_safe
    render plain: File.read("exports/#{params[:id].to_i}.csv")
  end
end
