package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

var inlined = map[string]string{"style": shared().style, "scheme": shared().scheme, "charts": shared().charts, "program": shared().program}

func TestAssetsStayInTheirElements(t *testing.T) {
	end := regexp.MustCompile(`(?i)</script|</style|<!--`)
	for name, text := range inlined {
		if found := end.FindString(text); found != "" {
			t.Errorf("%s contains %s", name, found)
		}
	}
}

func TestAssetsAskForNothing(t *testing.T) {
	outward := regexp.MustCompile(`@import|url\(|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|\bimport\b|\.src\s*=|\beval\(|new Function`)
	for name, text := range inlined {
		if found := outward.FindString(text); found != "" {
			t.Errorf("%s contains %s", name, found)
		}
	}
}

func TestReadmeNamesTheVersionOfUPlot(t *testing.T) {
	packages, err := os.ReadFile(checkout.Path(t, "server/console/web/package.json"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`"uplot": "([\d.]+)"`).FindSubmatch(packages)
	if version == nil {
		t.Fatal("console/web/package.json names no version of uPlot")
	}
	if readme := asset("README"); !strings.Contains(readme, "uPlot "+string(version[1])) {
		t.Errorf("assets/README does not name uPlot %s", version[1])
	}
}

// TestPolicyAdmitsWhatIsWritten hashes the elements of a finished page, as a
// browser does.
func TestPolicyAdmitsWhatIsWritten(t *testing.T) {
	text := written(t, small(t, "x"))
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(text)
	if policy == nil {
		t.Fatal("page has no policy")
	}
	allowed := html.UnescapeString(policy[1])
	if !strings.HasPrefix(allowed, "default-src 'none'; ") || strings.Contains(allowed, "unsafe") {
		t.Errorf("policy %s is not closed by default", allowed)
	}
	elements := regexp.MustCompile(`(?s)<(?:script|style|script type="module")>(.*?)</(?:script|style)>`).FindAllStringSubmatch(text, -1)
	if len(elements) != len(inlined) {
		t.Errorf("page has %d scripts and styles, want %d", len(elements), len(inlined))
	}
	for _, element := range elements {
		sum := sha256.Sum256([]byte(element[1]))
		if hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(allowed, hash) {
			t.Errorf("policy does not admit the element that begins %.60q", element[1])
		}
	}
}

func TestPageNamesNothingOutside(t *testing.T) {
	text := elided(written(t, small(t, "x")))
	references := regexp.MustCompile(`(?:src|href|action|srcset|poster|data)="([^"]*)"`).FindAllStringSubmatch(text, -1)
	if len(references) == 0 {
		t.Fatal("no references found: a page has at least those to its sections")
	}
	for _, r := range references {
		if !strings.HasPrefix(r[1], "#") && r[1] != "data:," {
			t.Errorf("page refers to %s", r[1])
		}
	}
}
