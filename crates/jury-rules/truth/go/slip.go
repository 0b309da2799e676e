package slip

import (
	"archive/tar"
	"crypto/aes"
	"crypto/cipher"
	"crypto/tls"
	"database/sql"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/smtp"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"text/template/parse"

	sq "github.com/Masterminds/squirrel"
	"github.com/astaxie/beego/orm"
	"github.com/dgrijalva/jwt-go"
	"github.com/gin-gonic/gin"
	"github.com/go-pg/pg/v10"
	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/csrf"
	"github.com/gorilla/mux"
	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"
	"github.com/rs/cors"
	"github.com/sirupsen/logrus"
	"github.com/uptrace/bun"
	"go.mongodb.org/mongo-driver/bson"
	"gorm.io/gorm"
	"xorm.io/xorm"
)

type store struct {
	db  *sql.DB
	orm *gorm.DB
	x   *sqlx.DB
}

func (s *store) find(w http.ResponseWriter, r *http.Request) {
	order := r.URL.Query().Get("order")
	s.orm.Order(order).Find(nil)
	s.orm.Where("name = '" + order + "'").Find(nil)
	s.orm.Where("name = ?", order).Find(nil)
	s.orm.Raw(fmt.Sprintf("SELECT * FROM slips ORDER BY %s", order)).Scan(nil)
	s.x.Select(nil, "SELECT * FROM slips WHERE name = '"+order+"'")
	s.x.NamedExec("INSERT INTO slips (name) VALUES (:name)", map[string]any{"name": order})
	stmt, _ := s.db.Prepare("SELECT * FROM slips WHERE name = " + order)
	stmt.Query()
	var b strings.Builder
	b.WriteString("SELECT * FROM slips WHERE name = '")
	b.WriteString(order)
	b.WriteString("'")
	s.db.Query(b.String())
	sq.Select("*").From("slips").Where("name = '" + order + "'")
}

func others(r *http.Request, o orm.Ormer, p *pg.DB, bd *bun.DB, x *xorm.Engine) {
	id := mux.Vars(r)["id"]
	o.Raw("SELECT * FROM slips WHERE id = " + id).Exec()
	p.Query(nil, "SELECT * FROM slips WHERE id = "+id)
	p.Model(nil).Where("id = " + id).Select()
	bd.NewSelect().Where("id = '" + id + "'")
	x.SQL("SELECT * FROM slips WHERE id = " + id).Find(nil)
	x.Where("id = " + id).Find(nil)
}

func view(c *gin.Context) {
	c.Redirect(302, c.Query("next"))
	c.Data(200, "text/html; charset=utf-8", []byte("<b>"+c.Param("name")+"</b>"))
	c.Writer.WriteString("<i>" + c.PostForm("note") + "</i>")
	c.JSON(200, gin.H{"name": c.Query("name")})
	c.SaveUploadedFile(nil, "/srv/"+c.Query("to"))
	c.FileAttachment(filepath.Join("/srv", c.Query("f")), "f")
	c.SetCookie("sid", "x", 60, "/", "slip", false, true)
}

func fib(c *fiber.Ctx) error {
	c.SendFile("/srv/" + c.Params("f"))
	exec.Command("bash", "-c", c.Query("run")).Run()
	return c.Redirect(c.Query("to"))
}

func ech(c echo.Context) error {
	var in struct{ Url string }
	c.Bind(&in)
	http.Get(in.Url)
	c.Attachment("/srv/"+c.Param("f"), "f")
	return c.Redirect(302, c.QueryParam("to"))
}

func escapes(r *http.Request) {
	_ = template.HTML(r.FormValue("a"))
	_ = template.JS(r.FormValue("b"))
	_ = template.URL(r.FormValue("c"))
	_ = template.HTMLAttr(r.FormValue("d"))
	_ = template.HTML("<b>fixed</b>")
	_ = parse.NodeText
}

func files(w http.ResponseWriter, r *http.Request) {
	http.ServeFile(w, r, "/srv/"+r.URL.Query().Get("f"))
	os.Open(r.URL.Path[1:])
	os.RemoveAll(path.Join("/srv", r.FormValue("d")))
	f, h, _ := r.FormFile("up")
	out, _ := os.Create("/srv/" + r.FormValue("name"))
	io.Copy(out, f)
	_ = h
}

func untar(in io.Reader, to string) {
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if err != nil {
			return
		}
		os.MkdirAll(filepath.Join(to, h.Name), 0755)
		os.Symlink(h.Linkname, filepath.Join(to, h.Name))
	}
}

func untarSafe(in io.Reader, to string) {
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if err != nil {
			return
		}
		if !strings.HasPrefix(filepath.Join(to, h.Name), filepath.Clean(to)+"/") {
			return
		}
		os.MkdirAll(filepath.Join(to, h.Name), 0755)
	}
}

func run(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Tool string
		Args []string
	}
	json.NewDecoder(r.Body).Decode(&in)
	exec.Command(in.Tool, in.Args...).Run()
	syscall.Exec(in.Tool, in.Args, nil)
	cmd := exec.Cmd{Path: in.Tool}
	cmd.Run()
	exec.Command("tar", append([]string{"cf", "x.tar", "--"}, in.Args...)...).Run()
}

func keys(token string) {
	jwt.Parse(token, func(t *jwt.Token) (interface{}, error) {
		return []byte("slip-slip-slip"), nil
	})
	new(jwt.Parser).ParseUnverified(token, jwt.MapClaims{})
	jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	block, _ := aes.NewCipher([]byte("0123456789abcdef"))
	cipher.NewCBCEncrypter(block, []byte("0123456789abcdef"))
}

func settings() {
	c := &tls.Config{}
	c.InsecureSkipVerify = true
	c.MinVersion = tls.VersionTLS11
	cors.New(cors.Options{AllowedOrigins: []string{"*"}, AllowCredentials: true})
	csrf.Protect([]byte(os.Getenv("KEY")), csrf.Secure(false))
}

func logs(r *http.Request) {
	logrus.Infof("asked %s", r.URL.Query().Get("q"))
	logrus.WithField("x", 1).Warn("bad " + r.Referer())
	logrus.Infof("asked %q", r.URL.Query().Get("q"))
}

func mongo(r *http.Request, c interface{ Find(...any) }) {
	c.Find(nil, bson.M{"$where": "this.name == '" + r.FormValue("n") + "'"})
	c.Find(nil, bson.M{"name": r.FormValue("n")})
}

func proxied(w http.ResponseWriter, r *http.Request) {
	target, _ := url.Parse(r.URL.Query().Get("target"))
	req, _ := http.NewRequest("GET", target.String(), nil)
	http.DefaultClient.Do(req)
	http.Get("https://api.slip.example/v1/" + url.PathEscape(r.FormValue("id")))
	xml.NewDecoder(r.Body)
}

func letters(w http.ResponseWriter, r *http.Request) {
	smtp.SendMail("mail:25", nil, "a@slip.example", nil, []byte("Reset: https://"+r.Host+"/reset"))
	smtp.SendMail("mail:25", nil, "a@slip.example", nil, []byte("See you"))
}
