package source

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestEdge: an hour of which the data have a sliver is no drive hour, at their
// begin and their end; what was read of it is told.
func TestEdge(t *testing.T) {
	const hour, step = 3600, 60
	tests := map[string]struct {
		from, to int64 // ends of the first and the last row
		hours    string
		edge     int64
	}{
		"a day's midnight, of begins": {24 * hour, 26*hour - step, "24 25", 1},
		"a day's midnight, of ends":   {24*hour + step, 26 * hour, "24 25", 0},
		"a minute of the next hour":   {24*hour + step, 25*hour + step, "24", 1},
		"a quarter at both ends":      {24*hour - 900 + step, 25*hour + 900, "23 24 25", 0},
		"less than that":              {24*hour - 900 + 2*step, 25*hour + 900 - step, "24", 28},
		"all within an hour":          {24*hour + step, 24*hour + 5*step, "24", 0},
		"a few minutes of two hours":  {25*hour - step, 25*hour + 2*step, "25", 2},
	}
	system := &topology.System{Components: []topology.Component{{Name: "a/sda", Server: "a", Group: 1}}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rows := &madeRows{schema: table.Schema{StepSeconds: step, Metrics: recorded, Components: 1}}
			for end := tt.from; end <= tt.to; end += step {
				rows.rows = append(rows.rows, table.Row{End: end, Values: [][]float64{{1}, {8}, {2}}})
			}
			n := int64(len(rows.rows))
			r, err := Fold(rows, system, DefaultStepsOptions())
			if err != nil {
				t.Fatal(err)
			}
			var hours []string
			for _, line := range printedSteps(t, r) {
				hours = append(hours, strings.Fields(line)[1])
			}
			f := r.Folding()
			if got := strings.Join(hours, " "); got != tt.hours || f.Edge != tt.edge || f.Records != n || f.Merged() != n-tt.edge-f.Hours {
				t.Errorf("hours %s, %+v of %d rows; want %s, %d at the edge", got, f, n, tt.hours, tt.edge)
			}
		})
	}
}
