package farm

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"syscall"

	"github.com/go-chi/cors"
	"github.com/go-ldap/ldap/v3"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"gorm.io/gorm"
)

type barn struct {
	tools *mongo.Collection
	orm   *gorm.DB
}

func seal(text, key []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return h.Sum(nil)
}

func isSealed(text, key []byte, given string) bool {
	return fmt.Sprintf("%x", seal(text, key)) == given
}

func isSealedToo(text, key, given []byte) bool {
	return bytes.Equal(given, seal(text, key))
}

func isSealedWell(text, key, given []byte) bool {
	return hmac.Equal(given, seal(text, key))
}

func hide(key, text []byte) {
	block, _ := aes.NewCipher(key)
	zero := make([]byte, block.BlockSize())
	cipher.NewOFB(block, zero).XORKeyStream(text, text)
}

func hideWell(key, text []byte) {
	block, _ := aes.NewCipher(key)
	fresh := make([]byte, block.BlockSize())
	if _, err := rand.Read(fresh); err != nil {
		panic(err)
	}
	cipher.NewOFB(block, fresh).XORKeyStream(text, text)
}

func wrap(to *rsa.PublicKey, key []byte) ([]byte, []byte) {
	old, _ := rsa.EncryptPKCS1v15(rand.Reader, to, key)
	good, _ := rsa.EncryptOAEP(sha256.New(), rand.Reader, to, key, nil)
	return old, good
}

func (b *barn) search(w http.ResponseWriter, r *http.Request) {
	var wanted map[string]any
	_ = json.NewDecoder(r.Body).Decode(&wanted)
	_, _ = b.tools.CountDocuments(r.Context(), wanted)
	_, _ = b.tools.CountDocuments(r.Context(), bson.M{"name": r.FormValue("name")})
}

func (b *barn) add(w http.ResponseWriter, r *http.Request) {
	var tool Tool
	_ = json.NewDecoder(r.Body).Decode(&tool)
	b.orm.Create(&tool)
	b.orm.Create(&Tool{Name: tool.Name})
}

func (b *barn) knock(r *http.Request) {
	_, _ = net.Dial("tcp", net.JoinHostPort(r.FormValue("to"), "80"))
}

func (b *barn) read(r *http.Request) {
	_, _ = os.ReadFile(path.Join("/srv/barn", r.FormValue("leaf")))
	_, _ = os.ReadFile(path.Join("/srv/barn", path.Clean("/"+r.FormValue("leaf"))))
}

func restart(what string) {
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "barnctl restart " + what}, nil)
	_ = syscall.Exec("/usr/bin/barnctl", []string{"barnctl", "restart", what}, nil)
}

func ciphers(c *tls.Config) {
	c.CipherSuites = []uint16{tls.TLS_ECDHE_RSA_WITH_RC4_128_SHA}
	c.CipherSuites = []uint16{tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384}
}

func leafETag(leaf []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(leaf))
}

func login(c *ldap.Conn) {
	_ = c.Bind("cn=barn,dc=farm", "Oats-and-hay-41")
	_ = c.Bind("cn=barn,dc=farm", os.Getenv("BARN_PASSWORD"))
}

func anybody() cors.Options {
	return cors.Options{AllowCredentials: true, AllowOriginFunc: func(*http.Request, string) bool { return true }}
}

func farmers() cors.Options {
	return cors.Options{AllowCredentials: true, AllowedOrigins: []string{"https://farm.example"}}
}
