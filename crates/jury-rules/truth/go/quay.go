package quay

import (
	"context"
	"crypto/des"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/rc4"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"database/sql"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"log"
	mrand "math/rand"
	"net"
	"net/http"
	"net/http/httputil"
	"net/smtp"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	ttpl "text/template"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/gin-gonic/gin"
	"github.com/go-ldap/ldap/v3"
	"github.com/gorilla/sessions"
	"github.com/gorilla/websocket"
	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"
	"github.com/robertkrimen/otto"
	"golang.org/x/crypto/pbkdf2"
	"golang.org/x/crypto/ssh"
	"google.golang.org/grpc"
)

func mirror(w http.ResponseWriter, r *http.Request) {
	remote := r.URL.Query().Get("remote")
	exec.Command("git", "fetch", remote).Run()
	exec.Command("git", "fetch", "--", remote).Run()
	exec.CommandContext(r.Context(), "/usr/bin/rsync", remote, "/srv").Run()
}

func ownSite(to string) bool {
	found, _ := regexp.MatchString("https?://pier\\.quay\\.org", to)
	kept, _ := regexp.MatchString("^https?://pier\\.quay\\.org/", to)
	return found || kept
}

func safeLink(to string) string {
	if strings.HasPrefix(to, "javascript:") {
		return ""
	}
	return to
}

func count(text string) (int16, int16) {
	wide, _ := strconv.ParseInt(text, 10, 64)
	fit, _ := strconv.ParseInt(text, 10, 16)
	return int16(wide),
		int16(fit)
}

func tenant(w http.ResponseWriter, r *http.Request) {
	name := r.Header.Get("X-Tenant")
	sql.Open("postgres", "host=db dbname="+name)
	sql.Open("postgres", "host=db dbname=main")
}

func directory(c *ldap.Conn, word string) {
	c.UnauthenticatedBind("cn=desk")
	c.Bind("cn=desk", word)
}

func proxy(to *url.URL) *httputil.ReverseProxy {
	p := &httputil.ReverseProxy{
		Director: func(r *http.Request) { r.URL = to },
	}
	return p
}

func derive(word string, own []byte) {
	pbkdf2.Key([]byte(word), []byte("pier"), 600000, 32, sha256.New)
	pbkdf2.Key([]byte(word), own, 600000, 32, sha256.New)
	pbkdf2.Key([]byte(word), own, 100, 32, sha256.New)
}

func tunnel() *ssh.ClientConfig {
	return &ssh.ClientConfig{
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Config: ssh.Config{
			Ciphers: []string{"arcfour256"},
		},
	}
}

func serve() {
	s := grpc.NewServer()
	_ = s
	l, _ := net.Listen("tcp", "0.0.0.0:9000")
	_ = l
	http.ListenAndServe(":8080", nil)
}

func dial() {
	grpc.Dial("berth:443", grpc.WithInsecure())
}

func dll() {
	syscall.LoadLibrary("berth.dll")
}

type order struct{ Id string }

func handle(ctx context.Context, in order) error {
	db, _ := sql.Open("mysql", os.Getenv("DSN"))
	_, err := db.Exec("DELETE FROM berths WHERE id = " + in.Id)
	if err != nil {
		return err
	}
	_, err = db.Exec("DELETE FROM berths WHERE id = ?", in.Id)
	return err
}

func start() { lambda.Start(handle) }

func pages(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	fmt.Fprintf(w, "<p>%s</p>", name)
	fmt.Fprintf(w, "<p>%s</p>", template.HTMLEscapeString(name))
	io.WriteString(w, "<i>"+name+"</i>")
	w.Write([]byte("<b>" + name))
	t, _ := ttpl.New("x").Parse("Hello " + name)
	t.Execute(w, nil)
	http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
	http.Redirect(w, r, "/home", http.StatusFound)
	http.Get(r.FormValue("feed"))
	log.Println("hello " + name)
	os.ReadFile(filepath.Join("/srv/pages", name))
	os.ReadFile(filepath.Join("/srv/pages", filepath.Base(name)))
}

func cookies(w http.ResponseWriter, token string) {
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: token, Secure: true})
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: token, HttpOnly: true})
	store := sessions.NewCookieStore([]byte("pier-pier-pier"))
	_ = store
}

func weak(text, key []byte) {
	md5.Sum(text)
	sha1.New()
	sha256.Sum256(text)
	des.NewCipher(key)
	rc4.NewCipher(key)
	rsa.GenerateKey(rand.Reader, 1024)
	rsa.GenerateKey(rand.Reader, 4096)
	elliptic.P224()
	mac := hmac.New(sha1.New, key)
	_ = mac
}

func token() string {
	mrand.Seed(time.Now().UnixNano())
	return strconv.Itoa(mrand.Int())
}

func client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
}

func oldTls() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS10}
}

func find(ctx context.Context, c *pgx.Conn, who string) {
	c.Query(ctx, "SELECT id FROM berths WHERE owner = '"+who+"'")
	c.Query(ctx, "SELECT id FROM berths WHERE owner = $1", who)
	c.QueryRow(ctx, fmt.Sprintf("SELECT id FROM berths WHERE owner = '%s'", who))
}

func script(c *gin.Context) {
	vm := otto.New()
	vm.Run(c.Query("code"))
	c.File("/srv/" + c.Param("name"))
	exec.Command("sh", "-c", "ls "+c.Query("dir")).Run()
	exec.Command("ls", "--", c.Query("dir")).Run()
}

func answer(c echo.Context) error {
	return c.HTML(200, "<b>"+c.QueryParam("q")+"</b>")
}

var up = websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return true }}

func mail(r *http.Request) {
	body := "Subject: " + r.FormValue("subject") + "\r\n\r\nhello"
	smtp.SendMail("mail:25", nil, "a@quay.org", []string{"b@quay.org"}, []byte(body))
}

func load(r *http.Request) {
	var all map[string]interface{}
	json.NewDecoder(r.Body).Decode(&all)
	os.Chmod("/srv/run", 0777)
	os.WriteFile("/tmp/quay.txt", nil, 0600)
}
