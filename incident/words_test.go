package incident_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/incident"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Every kind of incident in words, as an operator reads them.
func TestWords(t *testing.T) {
	var out strings.Builder
	for _, does := range []func(*world){
		func(w *world) { w.gone["ddn2a"] = true },
		func(w *world) { w.gone["fs6"] = true },
		func(w *world) { w.gone["fs6"], w.gone["fs7"] = true, true },
		func(w *world) { w.gone["2.5.6"] = true },
		func(w *world) { w.unused["fs6"] = true },
		func(w *world) { w.unused["ddn2a"] = true },
		func(w *world) { w.silent["fs6"] = true },
		func(w *world) { drawer(w, "3", 2.5) },
		func(w *world) { w.slow["fs6"] = 2.5 },
		func(w *world) { w.slow["2.5"] = 2 },
		func(w *world) { w.busier["2.5"] = 3 },
		func(w *world) { w.stall["ddn2"] = 103_000 },
		func(w *world) { w.work["fs6"] = true },
	} {
		w := newWorld(t, site, 1)
		for _, in := range w.run(t, 10, incident.DefaultOptions(), act{2 * hour, does}).List(incident.Combined) {
			fmt.Fprintf(&out, "%s %s: %s\n  %s\n", in.Tier, in.Component, in.Kind, in.Headline)
			for _, b := range in.Because {
				fmt.Fprintf(&out, "  - %s\n", b)
			}
			fmt.Fprintf(&out, "  %s\n\n", in.Otherwise)
		}
	}
	name := filepath.Join("testdata", "words.txt")
	if *update {
		if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("the words changed; see them with go test ./incident -update and git diff\n%s", got)
	}
}
