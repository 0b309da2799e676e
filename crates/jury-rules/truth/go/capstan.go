package harbour

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"html"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/jackc/pgx"
)

func keep(login Login, page []byte) ([32]byte, [32]byte) {
	return sha256.Sum256([]byte(login.Password)),
		sha256.Sum256(page)
}

func loose() *tls.Config {
	settings := &tls.Config{}
	settings.MinVersion = 0
	settings.MinVersion = tls.VersionTLS13
	return settings
}

func leave(ctx context.Context, pool *pgx.ConnPool, guest string) {
	pool.ExecEx(ctx, "DELETE FROM guests WHERE name = '"+guest+"'", nil)
	pool.ExecEx(ctx, "DELETE FROM guests WHERE name = $1", nil, guest)
}

func open(door net.Listener, pages http.Handler) error {
	return http.ServeTLS(door, pages, "a.pem", "b.pem")
}

func berth(text string, last int) int16 {
	number, err := strconv.Atoi(text)
	if err != nil || number < 0 || number > last {
		return 0
	}
	return int16(number)
}

func board(w http.ResponseWriter, ticket string) {
	pass := &http.Cookie{}
	pass.Name = "ticket"
	pass.Value = ticket
	http.SetCookie(w, pass)
}

func uploads(w http.ResponseWriter, r *http.Request) {
	stored, _ := os.ReadDir("uploads")
	for _, one := range stored {
		fmt.Fprintf(w, "<li>%s</li>", one.Name())
		fmt.Fprintf(w, "<li>%s</li>", html.EscapeString(one.Name()))
	}
}
