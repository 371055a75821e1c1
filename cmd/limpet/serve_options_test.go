package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/live/ledger"
)

// decided is when an incident was found, as text and programs show it.
type decided struct {
	ID        string          `json:"id"`
	Onset     json.RawMessage `json:"onset"`
	Suspected string          `json:"suspected"`
	Confirmed string          `json:"confirmed"`
	Last      string          `json:"last"`
}

func (d *decided) String() string {
	return strings.Join([]string{d.ID, string(d.Onset), d.Suspected, d.Confirmed, d.Last}, " ")
}

// TestServeObeysDiagnosis: a setting below "diagnosis" of limpet serve has the effect of the flag of
// limpet diagnose: the same incidents are found at the same times.
func TestServeObeysDiagnosis(t *testing.T) {
	data := filepath.Join(t.TempDir(), "d")
	demo(t, data)
	topology, activity := filepath.Join(data, "topology.yaml"), filepath.Join(data, "activity")
	seen := map[string]string{}
	for setting, flags := range map[string][]string{
		"step: 5s":             {"--step", "5"},
		"step: 10s":            {"--step", "10"},
		"step: 30s":            {"--step", "30"},
		"method: l13, step: 5": {"--method", "l13", "--step", "5"},
		"clear_after: 10m":     {"--over", "10m"},
	} {
		t.Run(setting, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state")
			file := filepath.Join(t.TempDir(), "limpet.yaml")
			text := "directories: [" + activity + "]\ntopology: " + topology + "\nstate: " + state + "\ndiagnosis: {" + setting + "}\n"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := tellOf("serve", "--once", "--config", file); got.code != 0 {
				t.Fatalf("limpet serve --once: %s", got.err)
			}
			of := tellOf(append([]string{"diagnose", "--topology", topology, "--format", "json", activity}, flags...)...)
			var diagnosed struct{ Incidents []decided }
			if err := json.Unmarshal([]byte(of.out), &diagnosed); err != nil || len(diagnosed.Incidents) == 0 {
				t.Fatalf("limpet diagnose: %v, %s, %s", err, of.out, of.err)
			}
			want := map[string]string{}
			for i := range diagnosed.Incidents {
				want[diagnosed.Incidents[i].ID] = diagnosed.Incidents[i].String()
			}
			got := inLedger(t, filepath.Join(state, "ledger.sqlite"))
			if len(got) != len(want) {
				t.Errorf("limpet serve has %d incidents, limpet diagnose has %d", len(got), len(want))
			}
			for id, text := range want {
				if got[id] != text {
					t.Errorf("limpet serve has\n  %s\nlimpet diagnose has\n  %s", got[id], text)
				}
				seen[setting] += text + "\n"
			}
		})
	}
	if seen["step: 5s"] == seen["step: 30s"] {
		t.Error("the step has no effect, so this test compares nothing")
	}
}

// inLedger returns the incidents of a ledger, by ID.
func inLedger(t *testing.T, path string) map[string]string {
	t.Helper()
	l, err := ledger.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, _, err := l.Incidents(t.Context(), ledger.Query{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i := range all {
		var d decided
		if err := json.Unmarshal(all[i].Document, &d); err != nil {
			t.Fatal(err)
		}
		out[d.ID] = d.String()
	}
	return out
}
