package api

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type loginForm struct {
	Name  string `json:"name"`
	Order string `json:"order"`
}

type server struct {
	db   *gorm.DB
	root string
}

func (s *server) login(c *gin.Context) {
	var form loginForm
	if err := c.ShouldBindJSON(&form); err != nil {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	var user User
	s.db.Where("name = '" + form.Name + "'").First(&user)
	c.JSON(http.StatusOK, user)
}

func (s *server) loginBound(c *gin.Context) {
	var form loginForm
	if c.BindJSON(&form) != nil {
		return
	}
	var user User
	s.db.Where("name = ?", form.Name).First(&user)
	c.JSON(http.StatusOK, user)
}

func (s *server) list(c *gin.Context) {
	var users []User
	s.db.Order(c.Query("sort")).Find(&users)
	c.JSON(http.StatusOK, users)
}

func (s *server) listSorted(c *gin.Context) {
	sort := c.DefaultQuery("sort", "id")
	switch sort {
	case "id", "name":
	default:
		sort = "id"
	}
	var users []User
	s.db.Order(sort).Find(&users)
	c.JSON(http.StatusOK, users)
}

func (s *server) download(c *gin.Context) {
	name := c.Param("name")
	c.File(filepath.Join(s.root, name))
}

func (s *server) downloadBase(c *gin.Context) {
	name := filepath.Base(c.Param("name"))
	c.File(filepath.Join(s.root, name))
}

func (s *server) upload(c *gin.Context) {
	file, err := c.FormFile("avatar")
	if err != nil {
		return
	}
	if err := c.SaveUploadedFile(file, s.root+"/"+file.Filename); err != nil {
		c.Status(http.StatusInternalServerError)
	}
}

func (s *server) read(c *gin.Context) {
	target := filepath.Join(s.root, c.Query("doc"))
	if !strings.HasPrefix(target, s.root+string(os.PathSeparator)) {
		c.Status(http.StatusForbidden)
		return
	}
	data, err := os.ReadFile(target)
	if err != nil {
		c.Status(http.StatusNotFound)
		return
	}
	c.Data(http.StatusOK, "application/octet-stream", data)
}

func (s *server) leave(c *gin.Context) {
	c.Redirect(http.StatusFound, c.Query("next"))
}

func (s *server) leaveHome(c *gin.Context) {
	c.Redirect(http.StatusFound, "/home?tab="+c.Query("tab"))
}

func (s *server) remember(c *gin.Context) {
	c.SetCookie("session", newSession(), 3600, "/", "", false, true)
	c.SetCookie("session", newSession(), 3600, "/", "", true, true)
}
