package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestUpkeepIsNamed: a drive that is three times slower while its array rebuilds is
// reported as harmless upkeep, and never as a suspect. A drive that is still slow after
// the rebuild is an incident as usual.
func TestUpkeepIsNamed(t *testing.T) {
	const step, drives, rebuilds, ends, over = 15, 12, 4 * 3600, 12 * 3600, 18 * 3600
	for _, tt := range []struct {
		name           string
		known, remains bool
	}{
		{"known", true, false},
		{"known, and slow afterwards", true, true},
		{"not known", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &topology.System{Servers: []string{"h1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
			for i := range drives {
				s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("h1/sd%c", 'a'+i), Server: "h1", Group: 1})
				s.Groups[0].Members = append(s.Groups[0].Members, i)
			}
			schema := table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: drives, Sparse: true}
			o := engine.DefaultOptions()
			o.Questions = []engine.Question{engine.Components}
			e, err := engine.New(o, s, schema, nil, engine.NoListener{})
			if err != nil {
				t.Fatal(err)
			}
			rng, row := rand.New(rand.NewPCG(1, 2)), table.NewRow(schema)
			upkeep, others, after := 0, 0, 0
			for second := int64(step); second <= over; second += step {
				row.End = start + second
				row.Upkeep[3] = table.NoWork
				for c := range drives {
					row.Values[0][c], row.Values[1][c] = 100, 5*math.Exp(0.2*rng.NormFloat64())
				}
				works := second > rebuilds && second <= ends
				if works || tt.remains && second > ends {
					row.Values[1][3] *= 3
				}
				if works && tt.known {
					row.Upkeep[3] = table.Rebuilding
				}
				e.Push(row)
				if second%600 != 0 {
					continue
				}
				sum := e.Summary(incident.Combined)
				for _, in := range sum.Incidents {
					switch {
					case in.Kind == finding.ArrayUpkeep && in.Harmless() && in.Place.Name == "h1/sdd":
						upkeep++
						if in.Members[0].Role != finding.Rebuilds {
							t.Errorf("its role is %q", in.Members[0].Role)
						}
					case second <= ends:
						others++
					case in.Phase == incident.Active:
						after++
					}
				}
				if second <= ends {
					others += len(sum.Suspects)
				}
			}
			if (upkeep > 0) != tt.known || (others > 0) == tt.known {
				t.Errorf("told %d times as upkeep, %d times as something else", upkeep, others)
			}
			if tt.known && (after > 0) != tt.remains {
				t.Errorf("an incident %d times after the array has finished", after)
			}
		})
	}
}
