package console_test

import (
	"os"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/page/pagetest"
)

// TestRunning walks the console of a limpet serve that runs at LIMPET_CONSOLE_URL and
// has an incident of something slow, by mouse and by keyboard, in the light, at night and on a phone
// (make console-walk-running URL=…).
func TestRunning(t *testing.T) {
	url := os.Getenv("LIMPET_CONSOLE_URL")
	if url == "" {
		t.Skip("LIMPET_CONSOLE_URL names no running limpet serve: none is walked through")
	}
	t.Setenv("LIMPET_CONSOLE_WALK", "1") // all obstacles are looked for
	b := pagetest.Start(t)
	for name, view := range map[string]pagetest.View{"light": desk, "dark": night, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			tab := b.Visit(t, strings.TrimSuffix(url, "/")+"/#/", view)
			component := stroll(t, tab, name)
			typing(t, tab, component)
		})
	}
}

// stroll goes through every view by mouse. It returns the name of a component.
func stroll(t *testing.T, tab *pagetest.Tab, name string) (component string) {
	t.Helper()
	id := first(t, tab)
	look(t, tab, "running-now-"+name, "slower than its peers", "Sources")
	tab.Click(slow)
	leads(t, tab, "#/incident/"+id)
	look(t, tab, "running-incident-"+name, "how long requests take", "certainty", "Evidence", "Ruled out")
	tab.Click("table a[href^='#/component/']")
	leads(t, tab, "#/component/")
	look(t, tab, "running-component-"+name, "Incidents of this component")
	component = strings.Split(strings.TrimPrefix(address(tab), "#/component/"), "?")[0]
	tab.Click("a[href^='#/group/']")
	look(t, tab, "running-group-"+name, "components that should be equally fast")
	tab.Click("nav a[href='#/map']")
	look(t, tab, "running-map-"+name, "above the threshold")
	tab.Click("nav a[href='#/fleet']")
	look(t, tab, "running-fleet-"+name, "were slow in the last hour: at least twice the median of the group", "Compared with a large study")
	tab.Click("nav a[href='#/settings']")
	look(t, tab, "running-settings-"+name, "detect.win_size")
	return component
}

// typing finds a component by a part of its name, travels in time on the map and opens a
// cell, without a mouse.
func typing(t *testing.T, tab *pagetest.Tab, component string) {
	t.Helper()
	component = strings.ReplaceAll(component, "%2F", "/")
	tab.Go("/")
	tab.Press("/")
	tab.Type(component[1:])
	has(t, tab, "#hits", component)
	tab.Press("ArrowDown")
	tab.Press("Enter")
	leads(t, tab, "#/component/")
	openCell(t, tab)
}
