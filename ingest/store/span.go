package store

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A span holds the samples of one server in one period of time. The memory of a span is
// used again for the next span.
type span struct {
	maxSamples int    // largest number of samples that the span may hold
	text       []byte // text of all labels
	labels     []exporter.Label
	samples    []exporter.Sample
	pieces     []piece
	batch      exporter.Batch
}

// A piece has some of the samples of one series.
type piece struct {
	key     []byte // names and values of the labels, as one text
	labels  []exporter.Label
	samples []exporter.Sample // samples that span.forEachBatch has not passed on yet
}

// begin removes all samples from the span. The caller then reads another period into the span, or
// tries the same period again.
func (s *span) begin() {
	*s = span{maxSamples: s.maxSamples, text: s.text[:0], labels: s.labels[:0], samples: s.samples[:0], pieces: s.pieces[:0], batch: s.batch}
}

// take adds samples of a series. It returns ErrTooMuch if the span would hold more than span.maxSamples
// samples.
func (s *span) take(labels []exporter.Label, samples []exporter.Sample) error {
	if len(s.samples)+len(samples) > s.maxSamples {
		return ErrTooMuch
	}
	from, first, key := len(s.samples), len(s.labels), len(s.text)
	for _, l := range labels {
		s.labels = append(s.labels, exporter.Label{Name: s.copyWord(l.Name), Value: s.copyWord(l.Value)})
	}
	s.samples = append(s.samples, samples...)
	s.pieces = append(s.pieces, piece{key: s.text[key:], labels: s.labels[first:], samples: s.samples[from:]})
	return nil
}

// copyWord copies a word to the end of s.text and returns the copy. Earlier copies stay valid when
// s.text grows.
func (s *span) copyWord(word []byte) []byte {
	at := len(s.text)
	s.text = append(append(s.text, word...), 0xff)
	return s.text[at : len(s.text)-1 : len(s.text)-1]
}

// sliceMs is the length of the batches that span.forEachBatch passes on, in ms. A server can have
// two sources. If one source stops, the other source can take over only at the next batch, so
// batches are short.
const sliceMs = 60_000

// forEachBatch calls f with the samples of the span, in batches of sliceMs. Within a batch the
// series are sorted by labels, so that the result does not depend on the order of the
// answer.
func (s *span) forEachBatch(serverLabel string, f func(b *exporter.Batch, end time.Time) error) error {
	slices.SortStableFunc(s.pieces, func(a, b piece) int { return bytes.Compare(a.key, b.key) })
	for {
		begin := int64(math.MaxInt64)
		for i := range s.pieces {
			if rest := s.pieces[i].samples; len(rest) > 0 {
				begin = min(begin, rest[0].Time)
			}
		}
		if begin == math.MaxInt64 {
			return nil
		}
		end := begin + sliceMs
		s.batch.Reset(serverLabel)
		s.batch.Whole = true // every scrape is complete, because a store has all samples of a scrape or none of them
		for i := range s.pieces {
			s.pieces[i].pass(&s.batch, end)
		}
		if err := f(&s.batch, time.UnixMilli(end)); err != nil {
			return err
		}
	}
}

// pass moves the samples before the time `end`, in ms since 1970, from the piece to a batch.
func (p *piece) pass(b *exporter.Batch, end int64) {
	n := 0
	for n < len(p.samples) && p.samples[n].Time < end {
		n++
	}
	if n > 0 && b.Begin(p.labels) {
		for _, x := range p.samples[:n] {
			b.Sample(x.Time, x.Value)
		}
	}
	p.samples = p.samples[n:]
}
