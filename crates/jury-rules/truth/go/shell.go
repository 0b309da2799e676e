package ops

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"syscall"
)

var hostname = regexp.MustCompile(`^[a-z0-9.-]+$`)

func ping(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	cmd := exec.Command("/bin/sh", "-c", "ping -c 1 "+host)
	out, _ := cmd.CombinedOutput()
	w.Header().Set("Content-Type", "text/plain")
	w.Write(out)
}

func pingDirect(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	if !hostname.MatchString(host) {
		http.Error(w, "no such host", http.StatusBadRequest)
		return
	}
	cmd := exec.Command("/bin/sh", "-c", "ping -c 1 "+host)
	out, _ := cmd.CombinedOutput()
	w.Header().Set("Content-Type", "text/plain")
	w.Write(out)
}

func archive(ctx context.Context, dir string) error {
	var stderr bytes.Buffer
	script := fmt.Sprintf("tar czf /backup/today.tgz %s", dir)
	cmd := exec.CommandContext(
		ctx,
		"bash",
		"-c",
		script,
	)
	cmd.Stderr = &stderr
	return cmd.Run()
}

func archiveDirect(ctx context.Context, dir string) error {
	return exec.CommandContext(ctx, "tar", "czf", "/backup/today.tgz", "--", dir).Run()
}

func tool(r *http.Request) ([]byte, error) {
	name := r.Header.Get("X-Tool")
	return exec.Command(name, "--version").Output()
}

func version() ([]byte, error) {
	return exec.Command("sh", "-c", "uname -a | cut -d' ' -f3").Output()
}

func replace(w http.ResponseWriter, r *http.Request) {
	prog := r.FormValue("prog")
	err := syscall.Exec(prog, []string{prog}, nil)
	http.Error(w, err.Error(), 500)
}
