package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// chapter is docs/api.md.
func chapter(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(checkout.Path(t, "docs/api.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	curlBody = regexp.MustCompile(` -d '([^']*)'`)
	curlURL  = regexp.MustCompile(`'(http://127\.0\.0\.1:9714[^']*)'`)
)

// exampleID is the ID of the incident in docs/api.md. The sample has it as sampleID.
const exampleID, sampleID = "ec082432", "slow-1.0"

var (
	incidentID = regexp.MustCompile(`(?:/incidents/|"id":")([^'"/]*)`)
	tableLine  = regexp.MustCompile(`(?m)^\|.*`)
)

// TestExamples: every request that docs/api.md makes with curl is answered. IDs of incidents look as
// the API writes them.
func TestExamples(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	ran := 0
	for _, id := range incidentID.FindAllStringSubmatch(tableLine.ReplaceAllString(chapter(t), ""), -1) {
		if id[1] != exampleID {
			t.Errorf("%s is not the ID of the examples, %s", id[1], exampleID)
		}
	}
	for line := range strings.Lines(chapter(t)) {
		if !strings.HasPrefix(line, "curl ") || strings.Contains(line, "text/event-stream") {
			continue
		}
		ran++
		at, err := url.Parse(strings.ReplaceAll(curlURL.FindStringSubmatch(line)[1], exampleID, sampleID))
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, at.String(), nil)
		if body := curlBody.FindStringSubmatch(line); body != nil {
			r = httptest.NewRequest(http.MethodPost, at.String(), strings.NewReader(body[1]))
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s%d %s", line, w.Code, w.Body)
		}
	}
	if ran < 7 {
		t.Errorf("only %d requests found in docs/api.md", ran)
	}
}

// TestChapter: the table of docs/api.md has every path.
func TestChapter(t *testing.T) {
	text := strings.NewReplacer("{id}", "ID", "{name...}", "NAME", "{group}", "NUMBER")
	said := chapter(t)
	for _, route := range sitetest.NewHandler(t, sitetest.New(), "", nil).Routes() {
		path := text.Replace(strings.TrimPrefix(route.Path, api.Base))
		if route.Role != access.Anyone && route.Path != "/{$}" && !strings.Contains(said, path+"`") {
			t.Errorf("docs/api.md does not tell of %s", path)
		}
	}
}

// TestMetricsAreDocumented: docs/api.md names every metric of ours.
func TestMetricsAreDocumented(t *testing.T) {
	h, said := sitetest.NewHandler(t, sitetest.New(), "", nil), chapter(t)
	h.Metrics.Window(1)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil))
	w = httptest.NewRecorder() // once more, with the metrics of the first request
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if name, ok := strings.CutPrefix(line, "# TYPE limpet_"); ok {
			if name, _, _ = strings.Cut(name, " "); !strings.Contains(said, "limpet_"+name) {
				t.Errorf("docs/api.md does not tell of limpet_%s", name)
			}
		}
	}
}
