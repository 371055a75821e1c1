package source

import (
	"context"
	"io"

	"github.com/limpet-storage/limpet/study"
)

// A feed returns records in the order of time.
type feed interface {
	// Read appends at least one record, or returns io.EOF.
	Read(context.Context, *records) error
}

// A shape holds the sizes of the fleet and the form of the records of a stream.
type shape struct {
	Groups, Drives int // number of groups and drives of the fleet
	Directions     []study.Direction
	Rates          []bool // by direction: requests are a rate
	Finer          bool   // records are finer than hours
	MaxHourRows    int    // largest number of records of an hour in memory
}

// A stream turns the records of a range of time into drive hours, and returns them in batches,
// one direction after the other.
type stream struct {
	ctx       context.Context
	shape     shape
	feed      feed
	stage     stage
	gatherer  *gatherer
	out       *records
	direction int // index of the next direction to return; len(shape.Directions): none
	done      func(Folding)
	err       error
}

// newStream returns a stream of the feed's records. It calls done once, after the last record
// or an error, with the counts of the folded records.
func newStream(ctx context.Context, f feed, s shape, done func(Folding)) *stream {
	n := len(s.Directions)
	t := &stream{ctx: ctx, shape: s, feed: f, out: newRecords(n), direction: n, done: done}
	t.gatherer = newGatherer(s.Groups, n)
	if t.stage = (&wholeHours{held: newRecords(n), maxRows: s.MaxHourRows, drives: s.Drives}); s.Finer {
		t.stage = newFolder(s.Drives, s.Rates)
	}
	return t
}

// Next replaces the rows of the batch with the next rows, or returns io.EOF.
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

// advance reads the next hours into out, if there are any left.
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
