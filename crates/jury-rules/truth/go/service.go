package service

import (
	"crypto/subtle"
	"database/sql"
	"io/ioutil"
	"log"
	"net"
	"net/http"
	"net/smtp"
	"os"
	"strings"

	"github.com/go-ldap/ldap/v3"
	"github.com/golang-jwt/jwt/v5"
	"github.com/gorilla/websocket"
	"github.com/robertkrimen/otto"
	"github.com/rs/cors"
)

func claims(raw string) (jwt.MapClaims, error) {
	c := jwt.MapClaims{}
	_, _, err := jwt.NewParser().ParseUnverified(raw, c)
	return c, err
}

func claimsChecked(raw string, key []byte) (jwt.MapClaims, error) {
	c := jwt.MapClaims{}
	_, err := jwt.ParseWithClaims(raw, c, func(*jwt.Token) (any, error) { return key, nil })
	return c, err
}

func issue(user string) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"sub": user})
	return t.SignedString([]byte("change-me-please"))
}

func issueFromEnv(user string) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"sub": user})
	return t.SignedString([]byte(os.Getenv("JWT_KEY")))
}

func open() (*sql.DB, error) {
	return sql.Open("mysql", "root:s3cr3tpw@tcp(db:3306)/shop")
}

func openFromEnv() (*sql.DB, error) {
	return sql.Open("mysql", os.Getenv("SHOP_DSN"))
}

func mailer() smtp.Auth {
	return smtp.PlainAuth("", "robot@example.com", "hunter2hunter2", "smtp.example.com")
}

func mailerFrom(user, password string) smtp.Auth {
	return smtp.PlainAuth("", user, password, "smtp.example.com")
}

func find(conn *ldap.Conn, r *http.Request) (*ldap.SearchResult, error) {
	filter := "(&(objectClass=person)(uid=" + r.FormValue("uid") + "))"
	req := ldap.NewSearchRequest("dc=example,dc=com", ldap.ScopeWholeSubtree, 0, 0, 0, false, filter, nil, nil)
	return conn.Search(req)
}

func findEscaped(conn *ldap.Conn, r *http.Request) (*ldap.SearchResult, error) {
	filter := "(&(objectClass=person)(uid=" + ldap.EscapeFilter(r.FormValue("uid")) + "))"
	req := ldap.NewSearchRequest("dc=example,dc=com", ldap.ScopeWholeSubtree, 0, 0, 0, false, filter, nil, nil)
	return conn.Search(req)
}

func script(w http.ResponseWriter, r *http.Request) {
	vm := otto.New()
	vm.Run(r.FormValue("rule"))
	vm.Run("var started = true")
}

var upgrader = websocket.Upgrader{
	CheckOrigin: func(r *http.Request) bool { return true },
}

var strictUpgrader = websocket.Upgrader{
	CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == "https://example.com" },
}

func anyOrigin() *cors.Cors {
	return cors.New(cors.Options{
		AllowedOrigins:   []string{"*"},
		AllowCredentials: true,
	})
}

func oneOrigin() *cors.Cors {
	return cors.New(cors.Options{
		AllowedOrigins:   []string{"https://app.example.com"},
		AllowCredentials: true,
	})
}

func reflected(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	w.Header().Set("Access-Control-Allow-Credentials", "true")
}

func fixedOrigin(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "https://app.example.com")
}

func session(w http.ResponseWriter, id string) {
	http.SetCookie(w, &http.Cookie{
		Name:     "session",
		Value:    id,
		HttpOnly: true,
	})
}

func sessionSecure(w http.ResponseWriter, id string) {
	http.SetCookie(w, &http.Cookie{
		Name:     "session",
		Value:    id,
		HttpOnly: true,
		Secure:   true,
		SameSite: http.SameSiteLaxMode,
	})
}

func visible(w http.ResponseWriter, id string) {
	c := http.Cookie{Name: "session", Value: id, Secure: true}
	http.SetCookie(w, &c)
}

func hidden(w http.ResponseWriter, id string) {
	c := http.Cookie{Name: "session", Value: id, Secure: true}
	c.HttpOnly = true
	http.SetCookie(w, &c)
}

func authorised(r *http.Request, apiToken string) bool {
	return r.Header.Get("X-Api-Token") == apiToken
}

func authorisedConstant(r *http.Request, apiToken string) bool {
	given := r.Header.Get("X-Api-Token")
	return subtle.ConstantTimeCompare([]byte(given), []byte(apiToken)) == 1
}

func save(data []byte) error {
	return ioutil.WriteFile("/var/lib/app/state.json", data, 0777)
}

func savePrivate(data []byte) error {
	return os.WriteFile("/var/lib/app/state.json", data, 0o600)
}

func scratch(data []byte) error {
	return os.WriteFile("/tmp/app.state", data, 0o600)
}

func scratchFresh(data []byte) error {
	f, err := os.CreateTemp("", "app")
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(data)
	return err
}

func listen() (net.Listener, error) {
	return net.Listen("tcp", "0.0.0.0:7000")
}

func listenLocal() (net.Listener, error) {
	return net.Listen("tcp", "127.0.0.1:7000")
}

func audit(r *http.Request) {
	user := r.FormValue("user")
	log.Printf("login of %s failed", user)
	log.Printf("login of %s failed", strings.ReplaceAll(user, "\n", ""))
}
