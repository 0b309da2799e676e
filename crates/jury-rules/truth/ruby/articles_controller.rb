class ArticlesController < ApplicationController
  COLUMNS = %w[title created_at].freeze

  def index
    @articles = Article.where("title LIKE '%#{params[:q]}%'")
    render :index
  end

  def index_safe
    @articles = Article.where("title LIKE ?", "%#{params[:q]}%")
    render :index
  end

  def sorted
    @articles = Article.order("#{params[:column]} DESC")
  end

  def sorted_safe
    column = COLUMNS.include?(params[:column]) ? params[:column] : "title"
    @articles = Article.order(column => :desc)
  end

  def report
    since = params[:since]
    rows = ActiveRecord::Base.connection.execute(<<~SQL)
      SELECT count(*) FROM articles
      WHERE created_at > '#{since}'
    SQL
    render json: rows
  end

  def report_safe
    since = ActiveRecord::Base.connection.quote(params[:since])
    rows = ActiveRecord::Base.connection.execute(<<~SQL)
      SELECT count(*) FROM articles
      WHERE created_at > #{since}
    SQL
    render json: rows
  end

  def find
    @article = Article.find_by_sql("SELECT * FROM articles WHERE id = " + params[:id])
  end

  def find_safe
    @article = Article.find_by_sql(["SELECT * FROM articles WHERE id = ?", params[:id]])
  end

  def create
    @article = Article.create(params.require(:article).permit!)
    redirect_to @article
  end

  def create_safe
    @article = Article.create(params.require(:article).permit(:title, :body))
    redirect_to @article
  end

  def go
    redirect_to params[:return_to]
  end

  def go_safe
    redirect_to articles_path(page: params[:page])
  end

  def preview
    render inline: "<p>#{params[:body]}</p>"
  end

  def preview_safe
    render plain: "Body: #{params[:body]}"
  end

  def banner
    @banner = params[:message].html_safe
  end

  def banner_safe
    @banner = "<b>Welcome</b>".html_safe
  end
end
