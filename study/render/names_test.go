package render

import (
	"bytes"
	"strings"
	"testing"
)

// TestNamesStay demands the old names in CSV and JSON, where programs look for them, and the new
// words on the page.
func TestNamesStay(t *testing.T) {
	r := studied(t, 30, 40, 1)
	var table, object, shown bytes.Buffer
	if err := CSV(&table, r); err != nil {
		t.Fatal(err)
	}
	if err := JSON(&object, r); err != nil {
		t.Fatal(err)
	}
	if err := HTML(&shown, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		",degradation,2×,stable to tail,", ",exact,2×,as longest tail,", ",cut-2,the longest two,tail hours,", ",hazard-since-2,1,hours at risk,",
		`,replacement-2,1,"slow hours saved, a drive",`, ",replacement-2,1,net of the new drive's,", ",degradation-2,stable to stable,share of steps below,",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("CSV does not have %s", want)
		}
	}
	if want := `"columns":["cut","tail hours","share of group hours","saved","full-stripe slowdown, mean"]`; !strings.Contains(object.String(), want) {
		t.Errorf("JSON does not have %s", want)
	}
	for _, n := range renamings {
		if n.of == "" {
			continue // all drives of the simulation are in the inventory
		}
		if strings.Contains(shown.String(), ">"+n.kept+"<") || !strings.Contains(shown.String(), n.shown) {
			t.Errorf("the page has %q or lacks %q", n.kept, n.shown)
		}
	}
}
