package handler_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/limpet-storage/limpet/api"
	"github.com/limpet-storage/limpet/api/apitest"
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/topology"
)

// BenchmarkLarge asks a system of 100,000 drives.
func BenchmarkLarge(b *testing.B) {
	site := apitest.New()
	site.Set(func(s *api.Standing) {
		system := &topology.System{Name: "large"}
		w := detect.Window{End: apitest.Now}
		g := topology.PeerGroup{ID: 1, Name: "all"}
		for i := range 100_000 {
			name := fmt.Sprintf("host%d/sd%d", i/60, i%60)
			system.Components = append(system.Components, topology.Component{Name: name, Server: name, Model: "ST12000NM0007", Group: 1})
			w.Verdicts = append(w.Verdicts, detect.Verdict{Component: i, Score: 1, Threshold: 2})
			g.Members = append(g.Members, i)
		}
		system.Groups = []topology.PeerGroup{g}
		s.Subject.System, s.Windows, s.Incidents, s.Suspects, s.Top = system, []detect.Window{w}, nil, nil, nil
	})
	h := apitest.Handler(b, site, "", nil)
	for _, path := range []string{"/components?find=host77", "/components?limit=1000", "/map", "/map?names=false", "/groups/1"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if w := ask(h, "", http.MethodGet, api.Base+path, ""); w.Code != http.StatusOK {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}
