package fetch

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

type hook struct {
	Target string `json:"target"`
}

func proxy(w http.ResponseWriter, r *http.Request) {
	resp, err := http.Get(r.FormValue("url"))
	if err != nil {
		http.Error(w, "upstream", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	io.Copy(w, resp.Body)
}

func notify(w http.ResponseWriter, r *http.Request) {
	var h hook
	if err := json.NewDecoder(r.Body).Decode(&h); err != nil {
		return
	}
	req, err := http.NewRequest(http.MethodPost, h.Target, nil)
	if err != nil {
		return
	}
	http.DefaultClient.Do(req)
}

func profile(w http.ResponseWriter, r *http.Request) {
	resp, err := http.Get("https://profiles.internal.example/v1/" + url.PathEscape(r.FormValue("user")))
	if err != nil {
		return
	}
	resp.Body.Close()
}

var hosts = map[string]bool{"api.example.com": true}

func checked(w http.ResponseWriter, r *http.Request) {
	u, err := url.Parse(r.FormValue("url"))
	if err != nil || !hosts[u.Hostname()] {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	resp, err := http.Get(u.String())
	if err != nil {
		return
	}
	resp.Body.Close()
}

func tunnel(r *http.Request) (net.Conn, error) {
	addr := fmt.Sprintf("%s:%s", r.FormValue("host"), r.FormValue("port"))
	return net.Dial("tcp", addr)
}

func database() (net.Conn, error) {
	return net.Dial("tcp", "db.internal:5432")
}

func back(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Query().Get("return_to"), http.StatusSeeOther)
}

func backChecked(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("return_to")
	u, err := url.Parse(to)
	if err != nil || u.Host != "" {
		to = "/"
	}
	if u.Host == "www.example.com" {
		http.Redirect(w, r, u.String(), http.StatusSeeOther)
	}
}

func moved(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Location", r.Referer())
	w.WriteHeader(http.StatusFound)
}

func slash(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/docs/", http.StatusMovedPermanently)
}
