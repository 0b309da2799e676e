package pages

import (
	"fmt"
	"html"
	"html/template"
	"io"
	"net/http"
	txt "text/template"
)

var page = template.Must(template.New("p").Parse(`<h1>{{.}}</h1>`))

func hello(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	fmt.Fprintf(w, "<h1>Hello, %s</h1>", name)
}

func helloEscaped(w http.ResponseWriter, r *http.Request) {
	name := html.EscapeString(r.URL.Query().Get("name"))
	fmt.Fprintf(w, "<h1>Hello, %s</h1>", name)
}

func helloTemplate(w http.ResponseWriter, r *http.Request) {
	page.Execute(w, r.FormValue("name"))
}

func raw(w http.ResponseWriter, r *http.Request) {
	bio := r.PostFormValue("bio")
	page.Execute(w, template.HTML(bio))
}

func rawConstant(w http.ResponseWriter, r *http.Request) {
	page.Execute(w, template.HTML("<b>bold</b>"))
}

func textual(w http.ResponseWriter, r *http.Request) {
	t := txt.Must(txt.New("x").Parse("<p>{{.}}</p>"))
	t.Execute(w, r.FormValue("msg"))
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	io.WriteString(w, "<pre>"+string(body)+"</pre>")
}

func count(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, fmt.Sprintf("<p>%d items</p>", len(r.Form)))
}

func custom(w http.ResponseWriter, r *http.Request) {
	t, err := template.New("user").Parse(r.FormValue("layout"))
	if err != nil {
		return
	}
	t.Execute(w, nil)
}

func fixed(w http.ResponseWriter, r *http.Request) {
	t, err := template.New("user").Parse("<i>{{.Layout}}</i>")
	if err != nil {
		return
	}
	t.Execute(w, r.FormValue("layout"))
}
