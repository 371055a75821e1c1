package history

import (
	"fmt"
	"math"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// means computes the means of a component's group from the steps of the twin.
func (w *twin) means(name, load string, from, to int64) (list []Mean) {
	for _, st := range w.steps {
		c, _ := w.find(st.system, name)
		if st.end <= from || st.end > to || c < 0 || st.values["await"] == nil {
			continue
		}
		var sum, weight [2]float64
		for other := range st.system.Components {
			if st.system.Components[other].Group != st.system.Components[c].Group {
				continue
			}
			v, n := segment.Round(st.values["await"][other]).Float(), 1.0
			if load != "" {
				n = segment.Round(st.values[load][other]).Float()
			}
			if table.IsMissing(v) || table.IsMissing(n) {
				continue
			}
			sum[0], weight[0] = sum[0]+n*v, weight[0]+n
			if other != c {
				sum[1], weight[1] = sum[1]+n*v, weight[1]+n
			}
		}
		if weight[0] > 0 {
			list = append(list, Mean{st.end, sum[0] / weight[0], sum[1] / weight[1], weight[0], weight[1]})
		}
	}
	return list
}

// TestMeans compares means with those of the twin: from files, from memory, and after a change of the system.
func TestMeans(t *testing.T) {
	for seed := range uint64(3) {
		w := newTwin(t, seed, DefaultOptions())
		compared := 0
		for range 12 {
			for range 60 {
				w.push(t)
			}
			switch w.rng.IntN(3) {
			case 0:
				must(t, w.store.Flush())
			case 1:
				w.change(t)
			}
			for _, load := range []string{"tps", ""} {
				from := start + w.rng.Int64N(w.now-start)
				name := w.system.Components[w.rng.IntN(len(w.system.Components))].Name
				got, err := w.store.Means(t.Context(), name, "await", load, from, w.now)
				must(t, err)
				want := w.means(name, load, from, w.now)
				if len(got.Means) != len(want) || got.StepSeconds != step || len(got.Troubles) > 0 {
					t.Fatalf("%s from %d to %d: %d means by %d s, want %d", name, from, w.now, len(got.Means), got.StepSeconds, len(want))
				}
				for i, m := range got.Means {
					if same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-9*b }; m.End != want[i].End || !same(m.Group, want[i].Group) || !same(m.Others, want[i].Others) || !same(m.Load, want[i].Load) || !same(m.OthersLoad, want[i].OthersLoad) {
						t.Fatalf("%+v, want %+v", m, want[i])
					}
					compared++
				}
			}
		}
		if compared < 100 {
			t.Errorf("only %d means", compared)
		}
	}
	w := newTwin(t, 1, DefaultOptions())
	w.push(t)
	for _, name := range []string{"nothing", w.system.Components[0].Name} {
		if got, err := w.store.Means(t.Context(), name, "no metric", "tps", 0, w.now); err != nil || len(got.Means) > 0 {
			t.Error(fmt.Sprint(name, got, err))
		}
	}
}
