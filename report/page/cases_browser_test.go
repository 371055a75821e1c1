package page

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/page/pagetest"
)

// aNight is a page that a browser can open: four cases of three plots.
var aNight = night{cases: 4, charts: 3, rows: 16, columns: 72}

func (n night) file(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "night.html")
	if err := os.WriteFile(file, []byte(written(t, n.page(t))), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A visit is a tab with what tests of cases look for.
type visit struct {
	*pagetest.Tab
	t *testing.T
}

// is holds what a place of the page says against what it should.
func (v visit) is(on, want string) {
	v.t.Helper()
	if got := v.Text(on); got != want {
		v.t.Errorf("%s says %q, want %q", on, got, want)
	}
}

// opened checks which case is open, in view, and named by the address and by what
// leads to it.
func (v visit) opened(name string) {
	v.t.Helper()
	v.is(".cases [aria-selected=true] .name", name)
	if got := v.Texts(".case h3"); len(got) != 1 || !strings.HasPrefix(got[0], name+" ") {
		v.t.Errorf("cases %q are open, want that of %s", got, name)
	}
	v.is(".timeline .name a[aria-current]", name)
	var top, height float64
	v.Evaluate(`document.querySelector(".case[data-open]").getBoundingClientRect().top`, &top)
	v.Evaluate(`innerHeight`, &height)
	if top < -1 || top > height {
		v.t.Errorf("the case of %s lies %g pixels down a window of %g", name, top, height)
	}
}

// drawn checks how many plots the page has drawn.
func (v visit) drawn(want int) {
	v.t.Helper()
	var got string
	v.Evaluate(`document.documentElement.dataset.plots`, &got)
	if got != fmt.Sprint(want) {
		v.t.Errorf("%s plots are drawn, want %d", got, want)
	}
}

// TestCasesInABrowser has one browser for all of its tests: to start it takes longer than most of
// them.
func TestCasesInABrowser(t *testing.T) {
	b := pagetest.Start(t)
	testViews(t, b)
	t.Run("an address opens a case", func(t *testing.T) { testAddressOpensACase(t, b) })
	t.Run("without a script all cases show", func(t *testing.T) { testWithoutAScriptAllCasesShow(t, b) })
	t.Run("many cases cost what one does", func(t *testing.T) { testManyCasesCostWhatOneDoes(t, b) })
}

func testViews(t *testing.T, b *pagetest.Browser) {
	t.Helper()
	file := aNight.file(t)
	for _, tt := range []struct {
		name string
		view pagetest.View
	}{
		{"light", pagetest.View{Width: 1200, Height: 900}},
		{"dark", pagetest.View{Width: 1200, Height: 900, Dark: true}},
		{"phone", pagetest.View{Width: 400, Height: 800}},
		{"dark-phone", pagetest.View{Width: 400, Height: 800, Dark: true}},
	} {
		if testing.Short() && tt.view.Dark != (tt.view.Width < 500) {
			continue // light and dark-phone have all that the others have
		}
		t.Run(tt.name, func(t *testing.T) {
			v := visit{b.Open(t, file, tt.view), t}
			v.Shoot(tt.name)
			v.choose()
			v.zoom()
			v.Shoot(tt.name + "-case")
			v.followLinks()
			v.readTiles()
			var sideways int
			v.Evaluate(`document.documentElement.scrollWidth - innerWidth`, &sideways)
			if sideways > 0 {
				t.Errorf("the page is %d pixels wider than its window", sideways)
			}
		})
	}
}

// choose goes through the list, and the plots are drawn as it does.
func (v visit) choose() {
	v.t.Helper()
	v.drawn(3)
	v.Click(".cases nav li:nth-child(2) a")
	v.opened("fs2")
	v.drawn(6)
	v.Press("ArrowDown")
	v.opened("fs3")
	v.Press("End")
	v.opened("fs4")
	v.Press("ArrowDown")
	v.opened("fs4")
	v.drawn(12)
	v.Back()
	v.opened("fs1")
	v.Click(".cases nav li:nth-child(3) a")
	v.opened("fs3")
}

// zoom drags across a plot of the open case; all of the case's go along, and no
// others.
func (v visit) zoom() {
	v.t.Helper()
	const plot = ".case[data-open] .plot:nth-of-type(2)"
	v.Hover(plot+" .u-over", 0.25, 0.5)
	for _, want := range []string{"time (UTC) 2024-05-01 1", "fs3 1", " ms onset", "40 peers none here"} {
		if got := v.Text(plot + " .legend li"); !strings.Contains(got, want) {
			v.t.Errorf("the legend says %q, want %q in it", got, want)
		}
	}
	v.Drag(plot+" .u-over", 0.2, 0.6)
	v.is(".case .reset", "Reset zoom Reset zoom Reset zoom")
	v.Click(".cases nav li:nth-child(4) a")
	v.is(".case .reset", "")
	v.Click(".cases nav li:nth-child(3) a")
	v.is(".case .reset", "Reset zoom Reset zoom Reset zoom")
	v.Click(plot + " .reset")
	v.is(".case .reset", "")
}

// followLinks goes to cases from the timeline, the table and the map.
func (v visit) followLinks() {
	v.t.Helper()
	v.Hover(".timeline ol > li:nth-child(1) a .bar", 0.5, 0.5)
	v.is("#_tip", "fs1: lost attachment: since 2024-05-01 13:00:00 UTC, not over yet; the problem began in the period 2024-05-01 12:45:00 – 13:15:00 UTC")
	v.Click(".timeline ol > li:nth-child(1) a .bar")
	v.opened("fs1")
	v.Click("table tr:nth-child(2) a")
	v.opened("fs2")
	v.Focus(".timeline ol > li:nth-child(4) svg a")
	v.Press("Enter")
	v.opened("fs4")
	v.Click(".map .field a[href='#case-fs3'] .edge")
	v.opened("fs3")
}

func (v visit) readTiles() {
	v.t.Helper()
	tile := func(column, row float64) {
		v.t.Helper()
		v.Hover(".map .field", (column+0.5)/72, (row+0.5)/16)
	}
	tile(5, 0)
	v.is("#_tip", "1.5 · 38 · await 1.4 times its peers'")
	tile(2, 0)
	v.is("#_tip", "1.2 · missing")
	tile(3, 0)
	v.is("#_tip", "")
	tile(71, 15)
	v.is("#_tip", "16.71 · 0")
	v.Focus(".map .tiles")
	v.Press("ArrowRight")
	v.Press("ArrowRight")
	v.Press("ArrowDown")
	v.is(".map .said", "2.1 · 4")
	v.is("#_tip", "2.1 · 4")
	v.Press("Escape")
	v.is("#_tip", "")
}

func testAddressOpensACase(t *testing.T, b *pagetest.Browser) {
	t.Helper()
	v := visit{b.Open(t, aNight.file(t), pagetest.View{Width: 1200, Height: 900, Fragment: "case-fs3"}), t}
	v.opened("fs3")
	v.drawn(3)
	v.Evaluate(`location.hash = "#case-fs2"`, new(string))
	v.opened("fs2")
}

func testWithoutAScriptAllCasesShow(t *testing.T, b *pagetest.Browser) {
	t.Helper()
	v := visit{b.Open(t, aNight.file(t), pagetest.View{Width: 1200, Height: 900, NoScript: true}), t}
	v.Shoot("without-script")
	if got := v.Texts(".case h3"); len(got) != aNight.cases {
		t.Errorf("cases %q are shown, want all %d", got, aNight.cases)
	}
	v.is("#case-fs2 > .facts", "confirmed since 2024-05-01 18:00:00 · 4 LUNs · severity 89")
	if got := v.Texts(".timeline ol .name"); !slices.Equal(got, []string{"fs1", "fs2", "fs3", "fs4"}) {
		t.Errorf("lanes %q, want those of all cases", got)
	}
}

func testManyCasesCostWhatOneDoes(t *testing.T, b *pagetest.Browser) {
	t.Helper()
	v := visit{b.Open(t, night{cases: 50, charts: 3, rows: 16, columns: 72}.file(t), pagetest.View{Width: 1200, Height: 900}), t}
	v.drawn(3)
	v.Shoot("fifty")
	v.Focus(".cases [aria-selected=true]")
	v.Press("End")
	v.opened("fs50")
	v.drawn(6)
}
