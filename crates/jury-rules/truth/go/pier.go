package pier

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/gin-gonic/gin"
)

func ours(u *url.URL) bool {
	return strings.HasSuffix(u.Hostname(), "pier.org")
}

func oursOnly(u *url.URL) bool {
	return u.Hostname() == "pier.org" || strings.HasSuffix(u.Hostname(), ".pier.org")
}

func mayGo(to string) bool {
	return strings.HasPrefix(to, "https://boats.pier.org")
}

func mayGoThere(to string) bool {
	return strings.HasPrefix(to, "https://boats.pier.org/")
}

func enter(w http.ResponseWriter, r *http.Request) {
	check(r.URL.Query().Get("password"))
	check(r.PostFormValue("password"))
}

func enterGin(c *gin.Context) {
	check(c.Query("pwd"))
	check(c.PostForm("pwd"))
}

func field(w http.ResponseWriter, r *http.Request, boat *Boat) {
	reflect.ValueOf(boat).Elem().FieldByName(r.FormValue("f"))
	reflect.ValueOf(boat).Elem().FieldByName("Name")
}
