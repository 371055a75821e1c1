package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// TestAnotherTopology: a state refuses the topology of another system. A missing or wrong file ends
// no incident; with ChangeTopology it does.
func TestAnotherTopology(t *testing.T) {
	dir := recorded(t)
	o := options(t, dir, t.TempDir())
	o.Once = true
	stopAfter(t, o, 4*60*hours/2) // while both incidents are open

	parse := func(from, to string) *topology.System {
		text, err := os.ReadFile(filepath.Join(dir, simulate.TopologyFile))
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := topology.Parse("other.yaml", []byte(strings.ReplaceAll(string(text), from, to)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tests := map[string]struct {
		system  *topology.System
		refused string
	}{
		"none":                {nil, "with the topology file topology.yaml: give this file again"},
		"other arrays":        {parse("ddn[1-2]", "ddn[5-6]"), "other.yaml names only 0 of the 192 components of the saved state in STATE. So 2 of 2 open incidents would end. To keep these incidents, start with the previous topology file (topology.yaml)"},
		"the same, elsewhere": {parse("", ""), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			next := o
			next.StateDir, next.System = t.TempDir(), test.system
			copyAll(t, o.StateDir, next.StateDir)
			_, err := openOnce(t, next)
			test.refused = strings.ReplaceAll(test.refused, "STATE", next.StateDir)
			switch {
			case test.refused == "" && err != nil:
				t.Fatal(err)
			case test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused) || !strings.Contains(err.Error(), "--change-topology")):
				t.Fatalf("%v, want %q and a cure", err, test.refused)
			case test.refused == "":
				return
			}
			next.System = o.System // the refusal has lost nothing
			if open, err := openOnce(t, next); err != nil || open != 2 {
				t.Errorf("%d incidents are open, want 2: %v", open, err)
			}
			next.System, next.ChangeTopology, next.StateDir = test.system, true, t.TempDir()
			copyAll(t, o.StateDir, next.StateDir)
			if gone := run(t.Context(), t, next); !strings.Contains(told(t, gone.Ledger()), `"removed"`) {
				t.Error("incidents at what is no longer named did not end, though that was asked for")
			}
		})
	}
}

// openOnce opens a state, counts its open incidents, and closes it.
func openOnce(t *testing.T, o Options) (open int, err error) {
	t.Helper()
	w, err := Open(t.Context(), o)
	if err != nil {
		return 0, err
	}
	for _, in := range w.Result().Incidents {
		if in.Phase != incident.Cleared {
			open++
		}
	}
	return open, w.Close()
}
