package intake

import (
	"maps"
	"math"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/store"
)

// An answer is what a store told of a server.
type answer struct {
	pieces  []piece
	samples int
}

// A piece is some samples of a series.
type piece struct {
	key     string // its labels
	labels  []exporter.Label
	samples []exporter.Sample
}

func (a *answer) begin() { *a = answer{} }

// take keeps samples, up to a bound.
func (a *answer) take(labels []exporter.Label, samples []exporter.Sample) error {
	if a.samples += len(samples); a.samples > spanSamples {
		return store.ErrTooMuch
	}
	var text []byte
	kept := make([]exporter.Label, 0, len(labels))
	for _, l := range labels {
		text = append(append(append(append(text, l.Name...), '='), l.Value...), 0xff)
		kept = append(kept, exporter.Label{Name: []byte(string(l.Name)), Value: []byte(string(l.Value))})
	}
	a.pieces = append(a.pieces, piece{string(text), kept, append([]exporter.Sample(nil), samples...)})
	return nil
}

// stale is the NaN that says that a series has ended.
const stale = 0x7ff0000000000002

// learn is how far series have come with the answer.
func (a *answer) learn(before map[string]tale) map[string]tale {
	tales := maps.Clone(before)
	for i := range a.pieces {
		p := &a.pieces[i]
		last := p.samples[len(p.samples)-1]
		t := tales[p.key]
		if last.Time >= t.reached {
			t.reached, t.ended = last.Time, math.Float64bits(last.Value) == stale
		}
		tales[p.key] = t
	}
	return tales
}

// frontier is the time that every series has come as far as. Those that have ended, or
// are farther behind the foremost than they may be late, are waited for no longer, and
// forgotten.
func frontier(tales map[string]tale, lateMs int64) int64 {
	foremost := int64(0)
	for _, t := range tales {
		foremost = max(foremost, t.reached)
	}
	least := foremost
	maps.DeleteFunc(tales, func(_ string, t tale) bool { return t.reached < foremost-lateMs })
	for _, t := range tales {
		if !t.ended {
			least = min(least, t.reached)
		}
	}
	return least
}

// until is the samples up to a time that were not handed on before. It notes that they
// are.
func (a *answer) until(frontier int64, tales map[string]tale, floor int64, label string) *exporter.Batch {
	b := &exporter.Batch{}
	b.Reset(label)
	for i := range a.pieces {
		p := &a.pieces[i]
		t, live := tales[p.key]
		begun := false
		for _, x := range p.samples {
			if x.Time > frontier {
				break
			}
			if x.Time <= max(t.last, floor) {
				continue
			}
			if !begun && !b.Begin(p.labels) {
				break
			}
			begun = true
			b.Sample(x.Time, x.Value)
			t.last = x.Time
		}
		if live {
			tales[p.key] = t
		}
	}
	return b
}
