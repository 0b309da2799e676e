package harbour

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var passed int64

type berth struct {
	gate sync.RWMutex
	free int
	name string
}

func arrival(text string) (time.Time, error) {
	return time.Parse("dd.MM.yyyy", text)
}

func departure(text string) (time.Time, error) {
	return time.Parse("02.01.2006", text)
}

func untilStopped() {
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTERM, syscall.SIGKILL)
	<-stops
}

func untilAsked() {
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTERM, syscall.SIGHUP)
	<-stops
}

func untilHeard() {
	stops := make(chan os.Signal)
	signal.Notify(stops, os.Interrupt)
	<-stops
}

func tonnage(text string) (float64, error) {
	return strconv.ParseFloat(text, 128)
}

func draught(text string) (float64, error) {
	return strconv.ParseFloat(text, 64)
}

func flag(text string) string {
	return strings.Replace(text, "-", "_", 0)
}

func pennant(text string) string {
	return strings.Replace(text, "-", "_", 2)
}

func pilot() int {
	return rand.Intn(1)
}

func bareHost(address string) string {
	return strings.TrimLeft(address, "wss://")
}

func bareWord(address string) string {
	return strings.TrimRight(address, "\r\n ")
}

func rewind(tape *os.File) (int64, error) {
	return tape.Seek(io.SeekStart, 12)
}

func forward(tape *os.File) (int64, error) {
	return tape.Seek(12, io.SeekCurrent)
}

func sweep() error {
	return os.RemoveAll(os.TempDir())
}

func sweepOwn() error {
	own, err := os.MkdirTemp("", "harbour")
	if err != nil {
		return err
	}
	return os.RemoveAll(own)
}

func keepLog(lines []byte) error {
	return os.WriteFile("log.txt", lines, 640)
}

func keepBook(lines []byte) error {
	return os.WriteFile("book.txt", lines, 0o640)
}

func calm() {
	time.Sleep(250)
	time.Sleep(250 * time.Millisecond)
}

func moor() error {
	return exec.Command("tug --slow").Run()
}

func unmoor() error {
	return exec.Command("tug", "--slow").Run()
}

func withCaptain(parent context.Context, name string) context.Context {
	return context.WithValue(parent, "captain", name)
}

type captainKey struct{}

func withMate(parent context.Context, name string) context.Context {
	return context.WithValue(parent, captainKey{}, name)
}

func announce(ship string) {
	fmt.Printf(ship)
	fmt.Printf("%s\n", ship)
}

func manifest(w http.ResponseWriter, req *http.Request) error {
	return req.ParseMultipartForm(8 << 20)
}

func smallManifest(w http.ResponseWriter, req *http.Request) error {
	req.Body = http.MaxBytesReader(w, req.Body, 8<<20)
	return req.ParseMultipartForm(8 << 20)
}

func (b *berth) take() {
	b.gate.Lock()
	b.gate.Unlock()
	b.free--
}

func (b *berth) leave() {
	b.gate.Lock()
	b.free++
	b.gate.Unlock()
}

func (b *berth) count() int {
	b.gate.RLock()
	defer b.gate.RLock()
	return b.free
}

func (b *berth) counted() int {
	b.gate.RLock()
	defer b.gate.RUnlock()
	return b.free
}

func timed() {
	began := time.Now()
	defer log.Println("took", time.Since(began))
	calm()
}

func timedWell() {
	began := time.Now()
	defer func() { log.Println("took", time.Since(began)) }()
	calm()
}

func deep(metres uint16) bool {
	return metres < 0
}

func shallow(fathoms int16) bool {
	return fathoms < 0
}

func everyOther(ships []string) (some []string) {
	for at, ship := range ships {
		if at%1 == 0 {
			some = append(some, ship)
		}
		if at%3 == 0 {
			some = append(some, ship)
		}
	}
	return some
}

func tally(ships []string) map[string]int {
	var seen map[string]int
	for _, ship := range ships {
		seen[ship] = len(ship)
	}
	return seen
}

func tallied(ships []string) map[string]int {
	seen := make(map[string]int)
	for _, ship := range ships {
		seen[ship] = len(ship)
	}
	return seen
}

func chart(path string) (string, error) {
	sheet, err := os.Open(path)
	defer sheet.Close()
	if err != nil {
		return "", err
	}
	return sheet.Name(), nil
}

func charted(path string) (string, error) {
	sheet, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer sheet.Close()
	return sheet.Name(), nil
}

func lit(lamp string) bool {
	answer, err := http.Head(lamp)
	if err != nil {
		return false
	}
	return answer.StatusCode < 300
}

func shines(lamp string) bool {
	answer, err := http.Head(lamp)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode < 300
}

func berthLabel(place int) string {
	return "B" + string(place)
}

func berthMark(mark rune) string {
	return "B" + string(mark)
}

func listen(bells, closing chan bool) {
	for {
		select {
		case <-bells:
			calm()
		case <-closing:
			break
		}
	}
}

func listenWell(bells, closing chan bool) {
	for {
		select {
		case <-bells:
			calm()
		case <-closing:
			return
		}
	}
}

func readConfig(raw []byte) (all map[string]string) {
	json.Unmarshal(raw, &all)
	return all
}

func readSettings(raw []byte) (all map[string]string, err error) {
	err = json.Unmarshal(raw, &all)
	return all, err
}

func unloadAll(crates []string) {
	var wg sync.WaitGroup
	for _, crate := range crates {
		go func() {
			wg.Add(1)
			defer wg.Done()
			announce(crate)
		}()
	}
	wg.Wait()
}

func unloadEach(crates []string) {
	var wg sync.WaitGroup
	for _, crate := range crates {
		wg.Add(1)
		go func() {
			defer wg.Done()
			announce(crate)
		}()
	}
	wg.Wait()
}

func briefly(parent context.Context) context.Context {
	short, _ := context.WithTimeout(parent, time.Minute)
	return short
}

func page(address *url.URL) {
	address.Query().Set("page", "3")
	asked := address.Query()
	asked.Set("page", "3")
	address.RawQuery = asked.Encode()
}

func guardedBy(key sync.Mutex, work func()) {
	key.Lock()
	work()
}

func guarded(key *sync.Mutex, work func()) {
	key.Lock()
	work()
}

func (b berth) rename(to string) {
	b.name = to
}

func (b *berth) renamed(to string) {
	b.name = to
}

func serveAll(ships chan *os.File) {
	for {
		ship := <-ships
		defer ship.Close()
		announce(ship.Name())
	}
}

func level(now float64) bool {
	return now == math.NaN()
}

func levelled(now float64) bool {
	return math.IsNaN(now)
}

func wind(north, east bool) bool {
	return north && north
}

func breeze(north, east bool) bool {
	return north && east
}

func knots(speed int) int {
	speed = speed
	for speed > 0 {
		speed--
	}
	return speed
}

func warn() {
	errors.New("no berth is free")
	log.Println(errors.New("no berth is free"))
}

func anchor(depth int) int {
	return anchor(depth + 1)
}

func hoist(depth int) int {
	if depth == 0 {
		return 0
	}
	return hoist(depth - 1)
}

func report(ships int) {
	log.Println("%d ships in", ships)
	log.Printf("%d ships in", ships)
}

func enter() int64 {
	passed = atomic.AddInt64(&passed, 1)
	return atomic.AddInt64(&passed, 1)
}

func fleet(raw []byte) ([]string, error) {
	var names []string
	err := json.Unmarshal(raw, names)
	return names, err
}

func crew(raw []byte) ([]string, error) {
	var hands []string
	err := json.Unmarshal(raw, &hands)
	return hands, err
}

func admit(w http.ResponseWriter, r *http.Request) {
	pass, err := r.Cookie("pass")
	if err != nil {
		http.Error(w, "no pass", http.StatusForbidden)
	}
	w.Write([]byte(pass.Name))
}

func let(w http.ResponseWriter, r *http.Request) {
	pass, err := r.Cookie("pass")
	if err != nil {
		http.Error(w, "no pass", http.StatusForbidden)
		return
	}
	w.Write([]byte(pass.Name))
}

func side(wharf string) bool {
	return wharf != "east" || wharf != "west"
}

func sides(wharf string) bool {
	return wharf != "east" && wharf != "west"
}

func leak() int {
	if false {
		return 1
	}
	return 0
}
