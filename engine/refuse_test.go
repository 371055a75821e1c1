package engine_test

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
)

// refuse fails unless a state is refused with a reason in one line, and nothing of it is
// loaded.
func refuse(t *testing.T, name string, data []byte, o engine.Options, w *world, schema table.Schema, why string) {
	t.Helper()
	beside := &tally{windows: 7}
	e, err := engine.Restore(data, o, w.system, schema, nil, engine.NoListener{}, beside)
	switch {
	case err == nil || e != nil:
		t.Errorf("%s: the state is taken", name)
	case strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), why):
		t.Errorf("%s: %q, want one line that says %q", name, err, why)
	case *beside != tally{windows: 7}:
		t.Errorf("%s: a part of the state is loaded: %+v", name, beside)
	}
}

// small is a world of a few drives with an incident, and its state.
func small(t *testing.T) (*world, []byte) {
	t.Helper()
	w := newWorld(t, rack("h[1-3]", "sd[a-c]", "all"), 41)
	e := w.runWith(t, 6, engine.NoListener{}, nil, act{1 * hour, func(w *world) { w.slow["h2/sdb"] = 9 }})
	if got := tell(incidents(e)); got != "slow drive h2/sdb active" {
		t.Fatal(got)
	}
	data, err := e.Save(&tally{windows: 3})
	if err != nil {
		t.Fatal(err)
	}
	return w, data
}

func TestOtherSettings(t *testing.T) {
	w, data := small(t)
	for name, tt := range map[string]struct {
		change func(*engine.Options, *table.Schema)
		why    string
	}{
		"a bound":        {func(o *engine.Options, _ *table.Schema) { o.Criteria.OverSeconds = 9000 }, "criteria.over_seconds was 7200 and is now 9000"},
		"a window":       {func(o *engine.Options, _ *table.Schema) { o.Detect.WinSize = 120 }, "detect.win_size was 60 and is now 120"},
		"another metric": {func(o *engine.Options, _ *table.Schema) { o.Metrics = []string{"await", "tps"} }, "metrics was [await] and is now [await tps]"},
		"a question less": {func(o *engine.Options, _ *table.Schema) {
			o.Questions = []engine.Question{engine.Components}
		}, "questions was"},
		"a preset":    {func(o *engine.Options, _ *table.Schema) { *o, _ = engine.Preset("l13") }, "other settings"},
		"other steps": {func(_ *engine.Options, s *table.Schema) { s.StepSeconds = 30 }, "step"},
		"other data": {func(_ *engine.Options, s *table.Schema) {
			s.Metrics = []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await, metric.Util}
		}, "data was tps, rd_sec, wr_sec, await and is now tps, rd_sec, wr_sec, await, %util"},
	} {
		o, schema := engine.DefaultOptions(), w.schema
		tt.change(&o, &schema)
		refuse(t, name, data, o, w, schema, tt.why)
	}
	if _, err := engine.Restore(data, engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{}, &tally{}); err != nil {
		t.Errorf("the same settings: %v", err)
	}
}

// sealed adds the right checksum to bytes.
func sealed(data []byte) []byte {
	body := data[:len(data)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(slices.Clone(body), sum[:]...)
}

func TestBadStates(t *testing.T) {
	w, data := small(t)
	o := engine.DefaultOptions()
	newer := slices.Clone(data)
	at := len("limpet state\n")
	binary.LittleEndian.PutUint32(newer[at:], binary.LittleEndian.Uint32(newer[at:])+1)
	refuse(t, "a newer version", sealed(newer), o, w, w.schema, "a newer version of limpet has written the saved state")
	refuse(t, "nothing", nil, o, w, w.schema, "not a saved state")
	refuse(t, "something else", []byte("time,value\n1,2\n"), o, w, w.schema, "not a saved state")
	refuse(t, "more at the end", append(slices.Clone(data), 0), o, w, w.schema, "the saved state is damaged: it has")

	rng := rand.New(rand.NewPCG(41, 1))
	for range 200 {
		n := rng.IntN(len(data))
		why := "the saved state is incomplete"
		if n < at {
			why = "not a saved state"
		}
		refuse(t, "cut short", data[:n], o, w, w.schema, why)
		damaged := slices.Clone(data)
		damaged[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		refuse(t, "damaged", damaged, o, w, w.schema, "stat")
	}
	data2, err := restored(t, w, data).Save(&tally{windows: 3})
	if err != nil || !slices.Equal(data, data2) {
		t.Errorf("the same memory has other bytes: %v", err)
	}
}

func restored(t *testing.T, w *world, data []byte) *engine.Engine {
	t.Helper()
	e, err := engine.Restore(data, engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{}, &tally{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestOtherListeners: a state that was saved with other writers is refused.
func TestOtherListeners(t *testing.T) {
	w, data := small(t)
	for _, others := range [][]engine.Stateful{nil, {&tally{}, &tally{}}} {
		if e, err := engine.Restore(data, engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{}, others...); err == nil || e != nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d writers in place of one: %v", len(others), err)
		}
	}
}
