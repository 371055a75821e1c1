package intake

import (
	"maps"
	"math"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/store"
)

// An answer holds the samples of one server that a store has returned.
type answer struct {
	parts   []seriesPart
	samples int // number of samples in all parts
}

// A seriesPart holds some samples of one series. A store may return a series in several parts.
type seriesPart struct {
	key     string // all labels of the series in one string
	labels  []exporter.Label
	samples []exporter.Sample
}

func (a *answer) begin() { *a = answer{} }

// take stores a copy of the given samples. It returns store.ErrTooMuch if the answer has more than
// spanSamples samples.
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
	a.parts = append(a.parts, seriesPart{string(text), kept, append([]exporter.Sample(nil), samples...)})
	return nil
}

// stale are the bits of the staleness marker. The marker is a NaN that ends a
// series.
const stale = 0x7ff0000000000002

// addProgress returns how far each series was read, including this answer. The parameter `before`
// has the progress of the earlier answers.
func (a *answer) addProgress(before map[string]seriesProgress) map[string]seriesProgress {
	progress := maps.Clone(before)
	for i := range a.parts {
		p := &a.parts[i]
		last := p.samples[len(p.samples)-1]
		t := progress[p.key]
		if last.Time >= t.reached {
			t.reached, t.ended = last.Time, math.Float64bits(last.Value) == stale
		}
		progress[p.key] = t
	}
	return progress
}

// frontier returns the time up to which every series has samples. Series that have ended do not
// count. Let the age of a series be the time from its last sample to the newest sample of all series,
// in ms. A series also counts as ended if its age is more than lateMs. frontier removes such a series
// from the map `progress`.
func frontier(progress map[string]seriesProgress, lateMs int64) int64 {
	foremost := int64(0)
	for _, t := range progress {
		foremost = max(foremost, t.reached)
	}
	least := foremost
	maps.DeleteFunc(progress, func(_ string, t seriesProgress) bool { return t.reached < foremost-lateMs })
	for _, t := range progress {
		if !t.ended {
			least = min(least, t.reached)
		}
	}
	return least
}

// samplesUntil returns the samples after the time `floor` and up to the time `frontier` that were
// not returned before. The files already have the samples up to `floor`. For each series,
// samplesUntil stores the time of the last returned sample in the map `progress`.
func (a *answer) samplesUntil(frontier int64, progress map[string]seriesProgress, floor int64, label string) *exporter.Batch {
	b := &exporter.Batch{}
	b.Reset(label)
	for i := range a.parts {
		p := &a.parts[i]
		t, live := progress[p.key]
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
			progress[p.key] = t
		}
	}
	return b
}
