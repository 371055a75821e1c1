package cluster

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/watch"
)

// TestAnotherCluster: a node whose ledger followed another cluster, or whose cluster has lost its
// streams, writes new events behind those in the ledger, from the first event on.
func TestAnotherCluster(t *testing.T) {
	t.Parallel()
	dir, system := recorded(t)
	w := watch.DefaultOptions()
	w.Paths, w.StateDir, w.System, w.StepSeconds, w.Now = []string{dir}, filepath.Join(t.TempDir(), "state"), system, 15, time.Now
	run := func() (events []ledger.Event) {
		m, leave := joinWith(t, bus.NewLocal(time.Now, time.Second), "one", []Role{RoleIngest, RoleWorker}, w)
		defer leave()
		await(t, "the incident is shown", func() bool { return slow(m) != nil })
		await(t, "the ledger has it as it is", func() bool {
			of, err := m.Ledger().Incident(t.Context(), slow(m).ID)
			if err != nil || of.Phase == incident.Cleared {
				return false
			}
			events = of.Events
			return true
		})
		return events
	}
	first := run()
	second := run()
	if len(second) <= len(first) {
		t.Fatalf("the second cluster said nothing: %d events, then %d", len(first), len(second))
	}
	last, next := first[len(first)-1], second[len(first)]
	if next.Seq <= last.Seq || next.Change != incident.Opened || next.Time != first[0].Time {
		t.Errorf("after event %d of %d comes %s, event %d of %d", last.Seq, last.Time, next.Change, next.Seq, next.Time)
	}
}
