package realtest

import (
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/server/api"
)

// A watcher looks at all chains once a second and notes when each moment came.
type watcher struct {
	t      *testing.T
	m      *alertmanager
	chains []*chain
	drive  string // that is throttled
	look   *camera
}

// until looks until something holds.
func (w *watcher) until(what string, holds func() bool) {
	w.t.Helper()
	for end := time.Now().Add(waitLongest); ; time.Sleep(time.Second) {
		for i, c := range w.chains {
			w.see(c, i == 0)
		}
		w.seeAlerts()
		if holds() {
			w.t.Logf("%s %s", time.Now().UTC().Format(time.TimeOnly), what)
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("not within %v: %s", waitLongest, what)
		}
	}
}

// ready says whether every chain judges what it is sent.
func (w *watcher) ready() bool {
	for _, c := range w.chains {
		var s api.Status
		ask(w.t, c.url+"/api/v1/status", &s)
		if !s.Ready {
			return false
		}
	}
	return true
}

// have says whether a moment has come for all.
func (w *watcher) have(moment string) bool {
	for _, c := range w.chains {
		if c.moments[moment].IsZero() {
			return false
		}
	}
	return true
}

// note keeps when a moment first came.
func (w *watcher) note(c *chain, moment string) {
	if c.moments[moment].IsZero() {
		c.moments[moment] = time.Now()
		w.t.Logf("%s %s: %s", time.Now().UTC().Format(time.TimeOnly), c.name, moment)
	}
}

// see notes how the incidents of a chain stand. Nobody but the throttled drive may have
// one.
func (w *watcher) see(c *chain, isFirst bool) {
	w.t.Helper()
	var list api.IncidentList
	ask(w.t, c.url+"/api/v1/incidents", &list)
	if isFirst && len(list.Suspects) > 0 && c.id == "" {
		w.look.at("suspect", "/")
	}
	for i := range list.Suspects {
		if strings.Contains(list.Suspects[i].Headline, w.drive) {
			w.note(c, "suspect")
		}
	}
	for i := range list.Incidents {
		r := &list.Incidents[i]
		if !strings.Contains(r.Incident.Headline, w.drive) {
			w.t.Errorf("%s blames another: %s", c.name, r.Incident.Headline)
		}
		c.id = r.Incident.ID
		switch r.Section {
		case "now":
			w.note(c, "incident")
		case "recovering":
			w.note(c, "recovering")
			if isFirst {
				w.look.at("recovering", "/")
			}
		case "over":
			w.note(c, "over")
		}
	}
}

// seeAlerts notes what Alertmanager has, and has passed on.
func (w *watcher) seeAlerts() {
	w.t.Helper()
	fires := map[string]bool{}
	for _, a := range w.m.firing(w.t) {
		if !strings.HasSuffix(a.Labels["component"], w.drive) {
			w.t.Errorf("Alertmanager was told of %v", a.Labels)
		}
		fires[a.Labels["sender"]] = true
	}
	for _, c := range w.chains {
		switch {
		case fires[c.name]:
			w.note(c, "at Alertmanager")
		case !c.moments["at Alertmanager"].IsZero():
			w.note(c, "gone from Alertmanager")
		}
		if w.m.passedOn(c.name, "firing") {
			w.note(c, "passed on")
		}
		if w.m.passedOn(c.name, "resolved") {
			w.note(c, "its end passed on")
		}
	}
}
