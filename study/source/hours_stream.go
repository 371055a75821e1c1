package source

import (
	"context"
	"io"

	"github.com/limpet-storage/limpet/study"
)

// A feed gives out records in the order of time.
type feed interface {
	// Read appends some records, at least one, or returns io.EOF.
	Read(context.Context, *records) error
}

// A shape is what is known of the records of a stream.
type shape struct {
	Groups, Drives int // of the fleet
	Directions     []study.Direction
	Rates          []bool // by direction: requests are a rate
	Finer          bool   // than hourly
	MaxRows        int    // of an hour that are held
}

// A stream makes drive hours of the records of a range of time, and batches
// of those, one direction after the other.
type stream struct {
	ctx       context.Context
	shape     shape
	feed      feed
	stage     stage
	gatherer  *gatherer
	out       *records
	direction int // the next to hand on; none where it is past the last
	done      func(Folding)
	err       error
}

// newStream returns a stream of the feed's records. Done is called once, after
// the last of them or an error, with what became of those that were folded.
func newStream(ctx context.Context, f feed, s shape, done func(Folding)) *stream {
	n := len(s.Directions)
	t := &stream{ctx: ctx, shape: s, feed: f, out: newRecords(n), direction: n, done: done}
	t.gatherer = newGatherer(s.Groups, n)
	if t.stage = (&wholeHours{held: newRecords(n), maxRows: s.MaxRows, drives: s.Drives}); s.Finer {
		t.stage = newFolder(s.Drives, s.Rates)
	}
	return t
}

// Next replaces the batch's rows by the next ones, or returns io.EOF.
func (t *stream) Next(b *study.Batch) error {
	for t.direction == len(t.shape.Directions) {
		if t.err != nil {
			b.Reset()
			return t.err
		}
		t.advance()
	}
	t.out.Exchange(b, t.shape.Directions[t.direction], t.direction)
	t.direction++
	return nil
}

// advance makes some hours ready, if there are any left.
func (t *stream) advance() {
	t.out.Reset()
	if t.err = t.stage.next(t.ctx, t.feed, t.out); t.err != nil {
		t.done(t.stage.folded())
	}
	if t.out.Len() > 0 && (t.err == nil || t.err == io.EOF) {
		t.out = t.gatherer.gather(t.out)
		t.direction = 0
	}
}
