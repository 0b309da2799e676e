package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/md5"
	crand "crypto/rand"
	"crypto/rc4"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"math/rand"
	"net/http"

	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/ssh"
)

func hashPassword(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

func hashPasswordBcrypt(password string) ([]byte, error) {
	return bcrypt.GenerateFromPassword([]byte(password), 12)
}

func signToken(token, key string) string {
	h := sha1.New()
	h.Write([]byte(key + token))
	return fmt.Sprintf("%x", h.Sum(nil))
}

func signTokenStrong(token string) string {
	sum := sha256.Sum256([]byte(token))
	return fmt.Sprintf("%x", sum)
}

func seal(key, plain []byte) ([]byte, error) {
	block, err := des.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(plain))
	block.Encrypt(out, plain)
	return out, nil
}

func sealAES(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func stream(key []byte) (*rc4.Cipher, error) {
	return rc4.NewCipher(key)
}

func keyPair() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(crand.Reader, 1024)
}

func keyPairLong() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(crand.Reader, 3072)
}

func fixedVector(block cipher.Block, plain []byte) []byte {
	iv := []byte("0123456789abcdef")
	mode := cipher.NewCBCEncrypter(block, iv)
	out := make([]byte, len(plain))
	mode.CryptBlocks(out, plain)
	return out
}

func freshVector(block cipher.Block, plain []byte) []byte {
	iv := make([]byte, aes.BlockSize)
	if _, err := crand.Read(iv); err != nil {
		panic(err)
	}
	mode := cipher.NewCBCEncrypter(block, iv)
	out := make([]byte, len(plain))
	mode.CryptBlocks(out, plain)
	return out
}

const letters = "abcdefghijklmnopqrstuvwxyz"

func newSessionToken() string {
	b := make([]byte, 32)
	for i := range b {
		b[i] = letters[rand.Intn(len(letters))]
	}
	return string(b)
}

func jitter(n int) int {
	return n + rand.Intn(n)
}

func resetCode() string {
	code := fmt.Sprintf("%06d", rand.Intn(1000000))
	return code
}

func newKey() []byte {
	token := make([]byte, 32)
	crand.Read(token)
	return token
}

func client() *http.Client {
	tr := &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	return &http.Client{Transport: tr}
}

func strictClient() *http.Client {
	tr := &http.Transport{
		TLSClientConfig: &tls.Config{ServerName: "api.example.com", MinVersion: tls.VersionTLS12},
	}
	return &http.Client{Transport: tr}
}

func later(cfg *tls.Config, dev bool) {
	cfg.InsecureSkipVerify = true
	cfg.MinVersion = tls.VersionTLS13
}

func legacy() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS10,
	}
}

func modern() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
	}
}

func dial(user string, key ssh.Signer) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(key)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	}
}

func dialKnown(user string, host ssh.PublicKey) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User:            user,
		HostKeyCallback: ssh.FixedHostKey(host),
	}
}
