package pagetest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/page/pagetest"
)

// culprit is a page that does what no page may, and draws nothing.
const culprit = `<!DOCTYPE html><html lang="en" data-ready><title>t</title><link rel="icon" href="data:,">
<p>seen</p><p hidden>not seen</p><button>press</button>
<script>
document.querySelector("button").onclick = () => {
  console.error("said so");
  new Image().src = "http://leak.example/image";
  setTimeout(() => { throw new Error("thrown") });
};
</script></html>`

// patient is a test that notes its failures and does not fail.
type patient struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (p *patient) Errorf(format string, args ...any) {
	p.failures = append(p.failures, strings.TrimSpace(args[len(args)-1].(string)))
}
func (p *patient) Cleanup(f func()) { p.cleanups = append(p.cleanups, f) }

func TestComplaintsFailTheTest(t *testing.T) {
	b := pagetest.Start(t)
	file := filepath.Join(t.TempDir(), "culprit.html")
	if err := os.WriteFile(file, []byte(culprit), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &patient{TB: t}
	tab := b.Open(p, file, pagetest.View{Width: 400, Height: 300})
	if got := strings.Join(tab.Texts("p"), "|"); got != "seen" {
		t.Errorf("texts %q, want those that can be seen", got)
	}
	if got := tab.Complaints(); len(got) != 0 {
		t.Errorf("complaints %q before anything was done", got)
	}
	tab.Click("button")
	for _, f := range p.cleanups {
		f()
	}
	all := strings.Join(p.failures, "\n")
	for _, want := range []string{"console: said so", "request: http://leak.example/image", "error: Error: thrown"} {
		if !strings.Contains(all, want) {
			t.Errorf("failures\n%s\ndo not tell %q", all, want)
		}
	}
}
