package poll

import (
	"time"

	"github.com/limpet-storage/limpet/intake/series"
	"github.com/limpet-storage/limpet/store"
)

// An answer is what is new in what a store told.
type answer struct {
	last     map[string]int64 // of each series, what was handed on before
	label    string
	patience time.Duration

	heard   map[string]int64 // of each series, the last of the answer
	pieces  []piece
	samples int
}

type piece struct {
	labels  []series.Label
	samples []series.Sample
}

// take keeps what was not handed on before.
func (a *answer) take(labels []series.Label, samples []series.Sample) error {
	if a.samples += len(samples); a.samples > spanSamples {
		return store.ErrTooMuch
	}
	var key []byte
	kept := make([]series.Label, 0, len(labels))
	for _, l := range labels {
		name, value := len(key), len(key)+len(l.Name)+1
		key = append(append(append(append(key, l.Name...), '='), l.Value...), 0xff)
		kept = append(kept, series.Label{Name: key[name : value-1], Value: key[value : len(key)-1]})
	}
	before := a.last[string(key)]
	for len(samples) > 0 && samples[0].Time <= before {
		samples = samples[1:]
	}
	if len(samples) == 0 {
		return nil
	}
	if a.heard == nil {
		a.heard = map[string]int64{}
	}
	a.heard[string(key)] = samples[len(samples)-1].Time
	a.pieces = append(a.pieces, piece{kept, append([]series.Sample(nil), samples...)})
	return nil
}

// handed is the batch of all.
func (a *answer) handed() *series.Batch {
	b := &series.Batch{}
	b.Reset(a.label)
	b.Patience = a.patience
	for i := range a.pieces {
		p := &a.pieces[i]
		if !b.Begin(p.labels) {
			continue
		}
		for _, x := range p.samples {
			b.Sample(x.Time, x.Value)
		}
	}
	return b
}
