package symptom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
)

// TestSteps: rows of any step that divides the shift say the same, since rates
// are averages and waiting is counted by request.
func TestSteps(t *testing.T) {
	seconds := uneven(5 * 64)
	want := examineEvery(t, seconds, 1)
	if len(want) != 9 {
		t.Fatalf("%d windows", len(want))
	}
	for _, step := range []int{2, 4, 8, 16, 32} {
		t.Run(fmt.Sprintf("%d s", step), func(t *testing.T) {
			got := examineEvery(t, seconds, step)
			if len(got) != len(want) {
				t.Fatalf("%d windows, want %d", len(got), len(want))
			}
			for w := range want {
				for i := range want[w] {
					if !same(&got[w][i], &want[w][i]) {
						t.Errorf("window %d:\n%+v, want\n%+v", w, got[w][i], want[w][i])
					}
				}
			}
		})
	}
}

// uneven are seconds of seven servers that differ from one to the next; the
// first is broken, and loses always the same share, since how much it varies
// depends on the step.
func uneven(n int) [][]machine {
	rng := rand.New(rand.NewPCG(7, 7))
	seconds := make([][]machine, n)
	for i := range seconds {
		seconds[i] = broken()
		for s := range seconds[i] {
			for c := range seconds[i][s] {
				seconds[i][s][c] *= math.Exp(0.5 * rng.NormFloat64())
			}
		}
		m := &seconds[i][0]
		m[retrIn], m[retrOut] = 0.05*m[dlvIn], 0.05*m[dlvOut]
	}
	return seconds
}

// examineEvery folds seconds to steps and examines them.
func examineEvery(t *testing.T, seconds [][]machine, step int) (windows [][]sign) {
	t.Helper()
	system := plainShape(len(seconds[0])).system()
	schema := schemaOf(system)
	schema.StepSeconds = int64(step)
	x, err := newExaminer(bounds(), place.NewMap(system), schema)
	if err != nil {
		t.Fatal(err)
	}
	row := table.NewRow(schema)
	for i := step; i <= len(seconds); i += step {
		row.End = begin + int64(i)
		fill(row, system, folded(seconds[i-step:i]))
		x.push(row, func(w *window) { windows = append(windows, append([]sign{}, w.signs...)) })
	}
	return windows
}

// folded averages rates over time and waiting over requests.
func folded(seconds [][]machine) []machine {
	out := make([]machine, len(seconds[0]))
	for s := range out {
		for _, second := range seconds {
			m := second[s]
			m[wait] *= m[tps]
			for c := range m {
				out[s][c] += m[c] / float64(len(seconds))
			}
		}
		out[s][wait] /= out[s][tps]
	}
	return out
}
