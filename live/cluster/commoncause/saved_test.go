package commoncause

import (
	"flag"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/internal/state/formtest"
)

var update = flag.Bool("update", false, "write the golden of what is saved")

// TestSaved fails if the saved tracker of a reducer has changed and formVersion has not.
func TestSaved(t *testing.T) {
	m := blame.NewMap(world(t))
	r := NewReducer(engine.DefaultOptions(), m, []string{"a"}, time.Minute, func(*incident.Event) {})
	saved := formtest.Form{
		Golden: "testdata/saved.txt", Version: formVersion, Raise: "formVersion in live/cluster/commoncause/reducer.go",
		Lines: state.OutlineOf(func(c *state.Codec) { r.tracker.State(c, m.Axes(c)) }).Lines(),
	}
	saved.Check(t, *update)
}
