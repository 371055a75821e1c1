package watch

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
)

// TestFiguresAreWrittenNowAndThen: the figures of an open incident are written to the ledger a few times an hour,
// not at every tick.
func TestFiguresAreWrittenNowAndThen(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	every := figuresTicks * o.TickSeconds
	written := map[int64]bool{} // between events, by the time of the row
	w.afterRow = func() {
		list, _, err := w.Ledger().Incidents(t.Context(), ledger.Query{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range list {
			if in.Phase != incident.Active {
				continue
			}
			written[in.Changed] = true
			if w.row-in.Changed > every {
				t.Fatalf("%s stands at %d in the row of %d", in.ID, in.Changed, w.row)
			}
		}
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if most := hours*3600/int(every) + int(w.events); len(written) < 4 || len(written) > most {
		t.Errorf("figures were written %d times, want 4 to %d", len(written), most)
	}
}
