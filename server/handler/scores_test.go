package handler_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/sitetest"
	"github.com/limpet-storage/limpet/topology"
)

// large makes the site one of so many drives.
func large(site *sitetest.Site, drives int) {
	site.Set(func(s *api.Result) {
		system := &topology.System{Name: "large"}
		w := persistence.Window{End: sitetest.Now}
		g := topology.PeerGroup{ID: 1, Name: "all"}
		for i := range drives {
			name := fmt.Sprintf("host%d/sd%d", i/60, i%60)
			system.Components = append(system.Components, topology.Component{Name: name, Server: name, Model: "ST12000NM0007", Group: 1})
			w.Verdicts = append(w.Verdicts, persistence.Verdict{Component: i, Score: 1, Threshold: 2})
			g.Members = append(g.Members, i)
		}
		system.Groups = []topology.PeerGroup{g}
		s.Subject.System, s.Windows, s.Incidents, s.Suspects, s.Top = system, []persistence.Window{w}, nil, nil, nil
	})
}

// TestOnePageOfComponentsIsCheap: whoever asks for a hundred of 100,000 drives has no list
// made of all of them.
func TestOnePageOfComponentsIsCheap(t *testing.T) {
	site := sitetest.New()
	large(site, 100_000)
	h := sitetest.NewHandler(t, site, "", nil)
	ask(h, "", http.MethodGet, api.Base+"/status", "") // what is made once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := ask(h, "", http.MethodGet, api.Base+"/components?limit=100", "")
	runtime.ReadMemStats(&after)
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("a page of 100 components took %d bytes", took)
	}
}

// TestNotComparedHasNoScore: score and threshold of a component that was not compared are null, and
// those of a compared component are numbers.
func TestNotComparedHasNoScore(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", nil)
	for name, want := range map[string]string{
		"1.1.2": `"state":"unjudged","reason":"too few requests to judge","score":null,"threshold":null`,
		"1.0.1": `"state":"anomalous","reason":"differs from its peers","score":4,"threshold":1`,
	} {
		if got := ask(h, "", http.MethodGet, api.Base+"/components/"+name, "").Body.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
