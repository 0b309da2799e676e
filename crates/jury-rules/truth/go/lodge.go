package lodge

import (
	"crypto/cipher"
	"crypto/md5"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os/exec"
	"reflect"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/oauth2"
)

func launch(program string) error {
	return exec.Command(program, "-h").Run()
}

func launchKnown() error {
	found, _ := exec.LookPath("tar")
	return exec.Command(found, "--help").Run()
}

func wrap(gcm cipher.AEAD, text []byte) []byte {
	iv := make([]byte, 12)
	io.ReadFull(rand.New(rand.NewSource(3)), iv)
	return gcm.Seal(iv, iv, text, nil)
}

func admit(guest *Guest, plain string) {
	sum := md5.New()
	io.WriteString(sum, plain)
	guest.SetPassword(sum.Sum(nil))
}

func announce(name, password string) {
	log.Println("guest", name, password)
	log.Println("guest", name, len(password))
}

var ownSite = regexp.MustCompile("^https://rooms.harbour.com/")
var ownPage = regexp.MustCompile(`^https://rooms\.harbour\.com/`)

func mayRedirect(to string) bool {
	return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//")
}

func mayRedirectHere(to string) bool {
	return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.HasPrefix(to, "/\\")
}

func broken(w http.ResponseWriter, r *http.Request) {
	http.Error(w, string(debug.Stack()), http.StatusInternalServerError)
}

func brokenQuietly(w http.ResponseWriter, r *http.Request) {
	log.Printf("failed: %s", debug.Stack())
	http.Error(w, "something failed", http.StatusInternalServerError)
}

func cookies(w http.ResponseWriter, id string) {
	http.SetCookie(w, &http.Cookie{Name: "room", Value: id, Secure: true, HttpOnly: true, SameSite: http.SameSiteNoneMode})
	http.SetCookie(w, &http.Cookie{Name: "room", Value: id, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func dispatch(target any, action string) {
	reflect.ValueOf(target).MethodByName(action).Call(nil)
	reflect.ValueOf(target).MethodByName("Open").Call(nil)
}

func startLogin(config *oauth2.Config, state string) (string, string) {
	first := config.AuthCodeURL("lodge")
	second := config.AuthCodeURL(state)
	return first, second
}

func room(text string) (int16, int64) {
	number, _ := strconv.Atoi(text)
	small := int16(number)
	large := int64(number)
	return small, large
}

var banned = regexp.MustCompile("\bdrop\b")
var barred = regexp.MustCompile(`\bdrop\b`)
