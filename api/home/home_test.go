package home_test

import (
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/api"
	"github.com/limpet-storage/limpet/api/apitest"
	"github.com/limpet-storage/limpet/api/home"
)

var update = flag.Bool("update", false, "write the golden pages anew")

func page(t *testing.T, change func(*api.Standing)) string {
	t.Helper()
	site := apitest.New()
	if change != nil {
		site.Set(change)
	}
	b, err := home.Page(site.Standing())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPage: what limps stands first, in the words of every report, and nothing runs.
func TestPage(t *testing.T) {
	got, path := page(t, nil), filepath.Join("testdata", "page.html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(got, "<script") || strings.Contains(got, "src=") || strings.Contains(got, `href="http`) {
		t.Error("the page runs or loads something")
	}
}

// TestCalm: nothing wrong looks calm, and says what is watched.
func TestCalm(t *testing.T) {
	got := page(t, func(s *api.Standing) {
		s.Incidents, s.Suspects, s.Troubles, s.Warnings = nil, nil, nil, nil
		s.Verdict = "Nothing limps."
	})
	if !strings.Contains(got, `<p class="calm">Nothing limps.</p>`) || !strings.Contains(got, "32 components in 2 peer groups are watched") || strings.Contains(got, "<article") {
		t.Error(got)
	}
}

func TestNotReady(t *testing.T) {
	if got := page(t, func(s *api.Standing) { s.Waiting = "3 of 4 servers have been read." }); !strings.Contains(got, `<p class="verdict">3 of 4 servers have been read.</p>`) {
		t.Error(got)
	}
}

// TestPolicy: the style of the page is the one that its policy allows, and nothing
// else is.
func TestPolicy(t *testing.T) {
	_, style, _ := strings.Cut(page(t, nil), "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
	if home.Policy != want {
		t.Errorf("the policy is %s, want %s", home.Policy, want)
	}
}
