package console_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/console"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// Now is the time of made-up sites: theirs is the browser's, or pages say that they
// are behind.
func now() int64 { return time.Now().Unix() / 15 * 15 }

func handler(site *sitetest.Site) *console.Handler {
	return console.New(func() report.Subject { return site.Result().Subject })
}

func get(t *testing.T, h http.Handler, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

var assets = regexp.MustCompile(`(?:src|href)="\./(console/[^"]+)"`)

func TestFilesAreNamedByTheirContentAndKeptForever(t *testing.T) {
	h := handler(sitetest.Calm(now()))
	page := get(t, h, "/")
	if got := page.Header.Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("the page is kept as %q: a new version would not be seen", got)
	}
	found := assets.FindAllStringSubmatch(text(t, page), -1)
	if len(found) < 2 {
		t.Fatalf("the page names %d files, want a script and a style", len(found))
	}
	for _, match := range found {
		file := get(t, h, "/"+match[1])
		if file.StatusCode != http.StatusOK || !strings.Contains(file.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %s, %q", match[1], file.Status, file.Header.Get("Cache-Control"))
		}
		if again := get(t, h, "/"+match[1], "If-None-Match", file.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s is sent again to who has it: %s", match[1], again.Status)
		}
	}
}

func TestPageRunsNothingButItsOwnFiles(t *testing.T) {
	page := get(t, handler(sitetest.Calm(now())), "/")
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("policy %q", policy)
	}
	html := text(t, page)
	if inline := regexp.MustCompile(`<script(?:[^>]*)>[^<]+</script>|<style| style=| on[a-z]+=`).FindString(html); inline != "" {
		t.Errorf("the page has %q in itself, which the policy forbids", inline)
	}
}

// outside finds addresses of other servers. Names of XML are none.
var outside = regexp.MustCompile(`(?:https?:)?//[a-z0-9-]+\.[a-z]{2,}[^"'\x60 )]*`)

// TestBuildIsSmallAndAsksNobodyElse counts the console and the charts of static pages.
func TestBuildIsSmallAndAsksNobodyElse(t *testing.T) {
	total, files := 0, 0
	for _, pattern := range []string{"dist/*.*", "dist/console/*", "../../report/page/assets/charts.*"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
			_, _ = w.Write(body)
			_ = w.Close()
			total, files = total+out.Len(), files+1
			for _, address := range outside.FindAllString(string(body), -1) {
				if !strings.Contains(address, "www.w3.org") && !strings.Contains(address, "svelte.dev/e/") {
					t.Errorf("%s names %s", name, address)
				}
			}
		}
	}
	if total > 120_000 || files < 5 {
		t.Errorf("%d files have %d bytes packed, 120,000 are the most", files, total)
	}
	t.Logf("%d bytes packed", total)
}

func TestSystemIsOneSmallDocument(t *testing.T) {
	h := handler(sitetest.Fleet(now()))
	answer := get(t, h, "/console/system.json", "Accept-Encoding", "gzip")
	body := text(t, answer)
	if len(body) > 2<<20 {
		t.Errorf("100,008 drives take %d bytes", len(body))
	}
	unpacked, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var s console.System
	if err := json.NewDecoder(unpacked).Decode(&s); err != nil {
		t.Fatal(err)
	}
	if len(s.Names) != 100_008 || s.Names[37] != "s0002/sdb" || s.Columns["server"].Words[s.Columns["server"].Of[37]] != "s0002" || s.Columns["slot"].Words[s.Columns["slot"].Of[37]] != "01" {
		t.Errorf("component 37 of %d is %s", len(s.Names), s.Names[37])
	}
	if s.Lead != "await" || s.Load != "tps" {
		t.Errorf("lead %q, load %q", s.Lead, s.Load)
	}
	for _, k := range finding.Kinds() {
		if kind := s.Kinds[string(k)]; kind.Meaning == "" {
			t.Errorf("%s has no meaning: %+v", k, kind)
		}
	}
	for _, p := range s.Published {
		if p.Disk == nil || p.Source == "" {
			t.Errorf("T16 has no figure %s", p.Name)
		}
	}
}

func TestNothingElseIsServed(t *testing.T) {
	h := handler(sitetest.Calm(now()))
	for _, path := range []string{"/index.html", "/console/", "/console/../handler.go", "/dist/index.html", "/x"} {
		if got := get(t, h, path); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, got.Status)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}
