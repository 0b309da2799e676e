package jetty

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// keepScan stores what was sent; the reader of forms has taken the folders off its name.
func keepScan(w http.ResponseWriter, r *http.Request) {
	_, header, err := r.FormFile("scan")
	if err != nil {
		http.Error(w, "no scan", http.StatusBadRequest)
		return
	}
	os.Create(filepath.Join("/srv/scans", header.Filename))
	os.Create(filepath.Join("/srv/scans", r.FormValue("label")))
}

func remember(w http.ResponseWriter, r *http.Request) {
	remark := r.PostFormValue("remark")
	encoded, _ := json.Marshal(map[string]string{"remark": remark})
	log.Printf("remark %s", encoded)
	log.Printf("remark %s", remark)
}

func moor(w http.ResponseWriter, r *http.Request) {
	exec.Command("/usr/bin/setsid", r.URL.Query().Get("winch")).Start()
	exec.Command("/usr/bin/setsid", "/opt/winch", "--", r.URL.Query().Get("rope")).Start()
}

func boardHTML(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintln(w, "Berth", r.FormValue("berth"))
}

func boardText(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	fmt.Fprintln(w, "Berth", r.FormValue("berth"))
}

func newSessionKey() string {
	return fmt.Sprintf("%08x", rand.Uint32())
}

func newShuffleKey() string {
	return fmt.Sprintf("%08x", rand.Uint32())
}
