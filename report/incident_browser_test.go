package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/page/pagetest"
)

// A reader has the demo's page open in a browser.
type reader struct {
	*pagetest.Tab
	t *testing.T
}

// is holds what a place of the page says against what it should.
func (r reader) is(on, want string) {
	r.t.Helper()
	if got := r.Text(on); got != want {
		r.t.Errorf("%s says %q, want %q", on, got, want)
	}
}

// says looks for parts of what a place of the page says.
func (r reader) says(on string, want ...string) {
	r.t.Helper()
	got := r.Text(on)
	for _, part := range want {
		if !strings.Contains(got, part) {
			r.t.Errorf("%s says %q, want %q in it", on, got, part)
		}
	}
}

// opened checks that one incident alone is open, with its headline, and that the
// list and the timeline point at it.
func (r reader) opened(component, headline string) {
	r.t.Helper()
	r.is(".cases [aria-selected=true] .name", component)
	r.is(".timeline .name a[aria-current]", component)
	r.is(".case h3", headline+".")
}

// number evaluates an expression.
func (r reader) number(expression string) (n float64) {
	r.t.Helper()
	r.Evaluate(expression, &n)
	return n
}

// demoFile is the demo's page, with what it tells of.
func demoFile(t *testing.T) (string, Summary) {
	t.Helper()
	_, e, s := demo(t, "text")
	name := filepath.Join(t.TempDir(), "demo.html")
	if err := os.WriteFile(name, []byte(written(t, e, s)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name, s
}

// The demo's page as a reader goes through it: each incident opens from the
// list, the timeline and the map, its plots zoom together, and what lies under
// the mouse is said. Nothing is asked of a network.
func TestIncidentsInABrowser(t *testing.T) {
	b := pagetest.Start(t)
	file, s := demoFile(t)
	for _, tt := range []struct {
		name string
		view pagetest.View
	}{
		{"light", pagetest.View{Width: 1200, Height: 900}},
		{"dark", pagetest.View{Width: 1200, Height: 900, Dark: true}},
		{"phone", pagetest.View{Width: 400, Height: 800}},
		{"dark-phone", pagetest.View{Width: 400, Height: 800, Dark: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := reader{b.Open(t, file, tt.view), t}
			r.Shoot("incidents-" + tt.name)
			r.chooseEach(&s)
			r.zoomAndHover()
			r.Shoot("incident-" + tt.name)
			r.followTimeAndPlace()
			if sideways := r.number(`document.documentElement.scrollWidth - innerWidth`); sideways > 0 {
				t.Errorf("the page is %g pixels wider than its window", sideways)
			}
			if dark := r.number(`getComputedStyle(document.body).backgroundColor.match(/\d+/)[0] < 128 ? 1 : 0`) == 1; dark != tt.view.Dark {
				t.Errorf("the page is dark: %t, want %t", dark, tt.view.Dark)
			}
		})
	}
}

// chooseEach opens every incident from the list, the worst first, which is open
// from the start. Whatever is not harmless has plots.
func (r reader) chooseEach(s *Summary) {
	r.t.Helper()
	for i := range s.Incidents {
		in := &s.Incidents[i]
		if i > 0 {
			r.Press("ArrowDown")
		} else {
			r.Focus(".cases [aria-selected=true]")
		}
		r.opened(in.Component, in.Headline)
		r.says(".case[data-open]", string(in.State), string(in.Kind), in.Otherwise)
		drawn := r.number(`document.querySelectorAll(".case[data-open] .plot canvas").length`)
		if drawn == 0 && !in.Kind.Harmless() {
			r.t.Errorf("%s has no plot", in.Component)
		}
	}
}

// zoomAndHover reads a value of the slow LUN and zooms into its plots, which go
// along with each other.
func (r reader) zoomAndHover() {
	r.t.Helper()
	r.Click(".cases nav a[href='#case-1-07']")
	const plot = ".case[data-open] .plot:nth-of-type(1)"
	r.Hover(plot+" .u-over", 0.4, 0.5)
	r.says(plot+" .legend", "2026-03-01 03:1", "1.07.4", " ms", "31 peers", "here")
	r.is(".case[data-open] .reset", "")
	r.Drag(plot+" .u-over", 0.2, 0.5)
	r.is(".case[data-open] .reset", "Reset zoom Reset zoom")
	r.Hover(plot+" .u-over", 0.05, 0.5)
	r.says(plot+" .legend", "2026-03-01 01:4")
	r.Click(plot + " .reset")
	r.is(".case[data-open] .reset", "")
}

// followTimeAndPlace reads the timeline and the map, and goes to incidents from
// there.
func (r reader) followTimeAndPlace() {
	r.t.Helper()
	r.Hover(".timeline ol > li:nth-child(1) a .bar", 0.7, 0.5)
	r.is("#_tip", "ddn2a: lost attachment: since 2026-03-01 03:00:00 UTC, not over; began between 2026-03-01 03:00:00 – 03:00:15 UTC")
	r.Click(".timeline ol > li:nth-child(1) a .bar")
	r.is(".cases [aria-selected=true] .name", "ddn2a")
	r.Hover(".map .field", 7.5/24, 0.25)
	r.says("#_tip", "1.07 · ", "single LUN of 1.07")
	r.Hover(".map .field", 2.5/24, 0.25)
	r.is("#_tip", "1.02 · 0")
	r.Click(".map .field a[href='#case-1-07'] .edge")
	r.is(".cases [aria-selected=true] .name", "1.07")
	r.Back()
	r.is(".cases [aria-selected=true] .name", "ddn2a")
}
