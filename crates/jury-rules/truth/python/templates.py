from flask import Flask, Markup, make_response, render_template, render_template_string, request, url_for
from markupsafe import escape
from jinja2 import Environment, FileSystemLoader, Template, select_autoescape
import jinja2

app = Flask(__name__)


@app.route("/greet")
def greet():
    template = "<p>Hi {}</p>".format(request.args["name"])
    return render_template_string(template)


@app.route("/greet2")
def greet_safe():
    return render_template_string("<p>Hi {{ name }}</p>", name=request.args["name"])


@app.post("/preview")
def preview():
    source = request.form.get("source")
    return Template(source).render(user="me")


@app.post("/preview2")
def preview_safe():
    source = request.form.get("source")
    return Template("Text: {{ text|e }}").render(text=source)


@app.route("/mail", methods=["POST"])
def mail():
    env = jinja2.Environment(loader=FileSystemLoader("mails"), autoescape=True)
    subject = env.from_string(request.json["subject"])
    return subject.render()


@app.route("/mail2", methods=["POST"])
def mail_safe():
    env = jinja2.Environment(loader=FileSystemLoader("mails"), autoescape=True)
    subject = env.get_template("subject.txt")
    return subject.render(text=request.json["subject"])


def html_environment(folder):
    return Environment(loader=FileSystemLoader(folder), autoescape=False)


def html_environment_safe(folder):
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(["html", "xml"]),
    )


@app.route("/search")
def search():
    term = request.args.get("term", "")
    return "<h2>Results for " + term + "</h2>"


@app.route("/search2")
def search_safe():
    term = request.args.get("term", "")
    return f"<h2>Results for {escape(term)}</h2>"


@app.route("/note/<int:note>")
def note(note):
    text = request.cookies.get("draft")
    response = make_response("<textarea>%s</textarea>" % text)
    return response


@app.route("/note2/<int:note>")
def note_safe(note):
    text = request.cookies.get("draft")
    response = make_response(render_template("note.html", text=text))
    return response


@app.template_filter("mark")
def mark(text):
    return Markup("<mark>" + request.args["hit"] + "</mark>")


@app.template_filter("mark2")
def mark_safe(text):
    return Markup("<mark>{}</mark>").format(request.args["hit"])
