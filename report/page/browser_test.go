package page

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// answers are what testdata/reader.html saw of a page.
type answers struct {
	Plots, Error, Failed                        string
	Zero, Gap, Crowd, Empty, Heat, Hole         []string
	Dragged, DoubleClicked, Swiped, Plus, Reset []bool
	Arrow, Pressed, Injected                    string
	Edge, Moment, Schemes, Reachable            bool
	Sideways                                    int
}

// outside stands for the whole network but this machine: it refuses every
// request, and remembers it.
type outside struct {
	mu   sync.Mutex
	urls []string
}

func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.urls = append(o.urls, r.URL.String())
	http.Error(w, "there is no outside", http.StatusBadGateway)
}

// asked returns what was asked for, other than by the browser on its maker's
// behalf.
func (o *outside) asked() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.urls), func(url string) bool {
		return strings.Contains(url, ".google.com") || strings.Contains(url, ".googleapis.com")
	})
}

// browse opens an address in a headless browser and returns the document as it is
// when its script has come to rest, and the proxy that saw all other requests.
func browse(t *testing.T, address string) (string, *outside) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is absent: pages are not tried in a browser")
	}
	net := &outside{}
	proxy := httptest.NewServer(net)
	defer proxy.Close()
	cmd := exec.CommandContext(t.Context(), browser,
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+t.TempDir(), "--proxy-server="+proxy.Listener.Addr().String(),
		"--window-size=1100,2600", "--virtual-time-budget=30000", "--dump-dom", address)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("chromium: %v\n%s", err, stderr.String())
	}
	return string(dom), net
}

// readPage lets reader.html read a page in a frame of the given width, and returns
// what it saw.
func readPage(t *testing.T, text string, width int) (answers, *outside) {
	t.Helper()
	var stray []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/reader.html":
			http.ServeFile(w, r, filepath.Join("testdata", "reader.html"))
		case "/page.html":
			http.ServeContent(w, r, "page.html", time.Time{}, strings.NewReader(text))
		case "/favicon.ico": // of reader.html
		default:
			stray = append(stray, r.URL.Path)
		}
	}))
	dom, net := browse(t, fmt.Sprintf("%s/reader.html?width=%d", server.URL, width))
	server.Close()
	if len(stray) > 0 {
		t.Errorf("the page asked its server for %v", stray)
	}
	found := regexp.MustCompile(`(?s)<pre id="answers">(.*?)</pre>`).FindStringSubmatch(dom)
	if found == nil || found[1] == "" {
		t.Fatalf("the reader gave no answers; it saw\n%.2000s", dom)
	}
	var a answers
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &a); err != nil {
		t.Fatalf("answers %s: %v", found[1], err)
	}
	return a, net
}

func TestReadingAPage(t *testing.T) {
	got, _ := readPage(t, written(t, small(t, "x")), 1000)
	want := answers{
		Plots:         "3",
		Zero:          []string{"time (UTC): 2024-05-01 12:00:00", "slow x: 0\u202fmsx", "limit x: 4\u202fmsx", "level x: 2\u202fmsx"},
		Gap:           []string{"time (UTC): 2024-05-01 12:00:15", "slow x: missing", "limit x: 4\u202fmsx", "level x: 2\u202fmsx"},
		Crowd:         []string{"time (UTC): 2024-05-01 12:00:15", "slow x: missing", "limit x: 4\u202fmsx", "level x: 2\u202fmsx", "3 peers: 2 here", "missing: 0\u202f% here"},
		Empty:         []string{"time (UTC): 2024-05-01 12:00:15", "slow x: missing", "limit x: 4\u202fmsx", "level x: 2\u202fmsx", "3 peers: none here", "missing: 0\u202f% here"},
		Heat:          []string{"metric x: column x · row x · 12.5\u202fmsx"},
		Hole:          []string{"metric x: column x · a · missing"},
		Dragged:       []bool{true, true, false},
		DoubleClicked: []bool{false, false},
		Swiped:        []bool{true, true},
		Arrow:         "time (UTC): 2024-05-01 12:00:15",
		Plus:          []bool{true, true},
		Reset:         []bool{false, false},
		Pressed:       "false",
		Edge:          true,
		Moment:        true,
		Schemes:       true,
		Reachable:     true,
	}
	gotV, wantV := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range gotV.NumField() {
		if g, w := gotV.Field(i).Interface(), wantV.Field(i).Interface(); !reflect.DeepEqual(g, w) {
			t.Errorf("%s: %+v, want %+v", gotV.Type().Field(i).Name, g, w)
		}
	}
}

func TestLongNamesOnAPhone(t *testing.T) {
	got, _ := readPage(t, written(t, small(t, strings.Repeat("name", 30))), 360)
	if got.Sideways > 0 || got.Plots != "3" || got.Error != "" {
		t.Errorf("on 360 pixels %s plots, error %q, %d pixels to the side; want 3 plots that fit", got.Plots, got.Error, got.Sideways)
	}
}

// TestNothingLeavesThePage puts into a page what an escaped name could at worst:
// the policy must hold on its own. A page without policy shows that the trap works.
func TestNothingLeavesThePage(t *testing.T) {
	const leak = `<img src="http://leak.example/image"><link rel="stylesheet" href="http://leak.example/style">` +
		`<script src="http://leak.example/script"></script><script>document.documentElement.dataset.injected = "yes"</script>`
	text := strings.Replace(written(t, small(t, "x")), "</main>", leak+"</main>", 1)
	got, net := readPage(t, text, 1000)
	if leaks := net.asked(); len(leaks) > 0 || got.Injected != "" {
		t.Errorf("the policy let something through: injected %q, asked for %v", got.Injected, leaks)
	}
	if got.Plots != "3" || got.Error != "" {
		t.Errorf("beside a leak %s plots were drawn, error %q; want 3", got.Plots, got.Error)
	}
	open := regexp.MustCompile(`<meta http-equiv="Content[^>]*>`).ReplaceAllString(text, "")
	if got, net := readPage(t, open, 1000); len(net.asked()) != 3 || got.Injected != "yes" {
		t.Error("without the policy nothing leaked either: the test is blind")
	}
}

func TestHostilePageFromAFile(t *testing.T) {
	root, net := openFile(t, written(t, small(t, strings.Join(hostile[:5], " "))))
	if want := `<html lang="en" data-script="" data-plots="3" data-ready="">`; root != want {
		t.Errorf("the page became %s, want %s", root, want)
	}
	if leaks := net.asked(); len(leaks) > 0 {
		t.Errorf("the page asked for %v", leaks)
	}
}

func TestErrorShows(t *testing.T) {
	root, _ := openFile(t, strings.Replace(written(t, small(t, "x")), `"at":{`, `"at":[{`, 1))
	if !strings.Contains(root, `data-plots="2"`) || !strings.Contains(root, `data-error="SyntaxError`) {
		t.Errorf("the page became %s, want two plots and an error", root)
	}
}

// openFile opens a page from a file and returns its root element's tag.
func openFile(t *testing.T, text string) (string, *outside) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dom, net := browse(t, "file://"+file)
	return regexp.MustCompile(`<html[^>]*>`).FindString(dom), net
}
