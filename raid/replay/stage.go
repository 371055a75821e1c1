package replay

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/raid"
)

// A stage is an array on which settings take turns. It implements member.Slowdown for the members,
// with the delays of the setting whose turn it is.
type stage struct {
	array *raid.Array
	began time.Time
	slow  atomic.Pointer[slowed]
}

// slowed is the delay source of a setting, and the time of the stage that other settings used.
type slowed struct {
	source *DelaySource
	others time.Duration
}

func (s *stage) now() time.Duration { return time.Since(s.began) }

// Factor returns the slowdown of a member; 1: it is no setting's turn.
func (s *stage) Factor(member int, now time.Duration) float64 {
	at := s.slow.Load()
	if at == nil {
		return 1
	}
	return at.source.Factor(member, now-at.others)
}

// A turn is the state of one setting.
type turn struct {
	reader *raid.Reader
	source *DelaySource
	passed time.Duration // time that the setting has used
	run    *Run
}

// A player runs the requests of a trace.
type player struct {
	array   *raid.Array
	records []Record
	depth   int
	speed   float64
	longest int64 // bytes of the longest request
	flying  atomic.Int64
	buffers sync.Pool
}

// maxFlying is the largest number of bytes of all requests in flight.
const maxFlying = 512 << 20

// aligned is the length in bytes from which Go aligns buffers to pages, as direct I/O needs.
const aligned = 64 << 10

func newPlayer(a *raid.Array, records []Record, o *Options) *player {
	longest := int64(aligned)
	for i := range records {
		longest = max(longest, records[i].Length)
	}
	p := &player{array: a, records: records, depth: o.Depth, speed: o.Speed, longest: longest}
	p.buffers.New = func() any { b := make([]byte, longest); return &b }
	return p
}

// play replays a part of the trace, and returns when all requests are answered.
func (p *player) play(ctx context.Context, t *turn, from, to int) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	do := func(i int) {
		if err := p.do(t, i); err != nil {
			stop(err)
		}
	}
	if p.depth > 0 {
		p.closed(ctx, from, to, do)
	} else {
		p.open(ctx, from, to, do)
	}
	return context.Cause(ctx)
}

// closed keeps depth requests in flight.
func (p *player) closed(ctx context.Context, from, to int, do func(i int)) {
	var next atomic.Int64
	next.Store(int64(from))
	var all sync.WaitGroup
	for range p.depth {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < to && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// open begins requests at the times of the trace, without regard to the requests in flight.
func (p *player) open(ctx context.Context, from, to int, do func(i int)) {
	began := time.Now() //nolint:forbidigo // latencies are real
	var all sync.WaitGroup
	defer all.Wait()
	for i := from; i < to; i++ {
		due := time.Duration(float64(p.records[i].At-p.records[from].At) / p.speed)
		select {
		case <-ctx.Done():
			return
		case <-time.After(due - time.Since(began)):
		}
		all.Go(func() { do(i) })
	}
}

// do runs a request. A failed read has no latency; the policy counts it. After a failed write the
// array has stopped, so do returns the error.
func (p *player) do(t *turn, i int) error {
	r := &p.records[i]
	defer p.flying.Add(-1)
	if n := p.flying.Add(1); n > max(1, maxFlying/p.longest) {
		return fmt.Errorf("%d requests of up to %d bytes are in progress and need more than the memory limit: give a smaller --depth", n, p.longest)
	}
	buf := p.buffers.Get().(*[]byte)
	defer p.buffers.Put(buf)
	if r.Write {
		_, err := p.array.WriteAt((*buf)[:r.Length], r.Offset)
		return err
	}
	began := time.Now() //nolint:forbidigo // latencies are real
	if _, err := t.reader.ReadAt((*buf)[:r.Length], r.Offset); err == nil {
		t.run.note(i, time.Since(began))
	}
	return nil
}

// A floored member takes at least floor for an I/O.
type floored struct {
	raid.Member
	floor time.Duration
}

func (f floored) ReadAt(p []byte, off int64) (int, error) {
	defer f.wait()()
	return f.Member.ReadAt(p, off)
}

func (f floored) ReadVector(bufs [][]byte, off int64) error {
	defer f.wait()()
	return f.Member.ReadVector(bufs, off)
}

func (f floored) WriteAt(p []byte, off int64) (int, error) {
	defer f.wait()()
	return f.Member.WriteAt(p, off)
}

// wait starts the time, and returns a function that sleeps until floor has passed.
func (f floored) wait() func() {
	began := time.Now() //nolint:forbidigo // latencies are real
	return func() { time.Sleep(f.floor - time.Since(began)) }
}
