package blkprobe

import (
	"math"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
)

// blocks are memory that a test counts in.
type blocks []byte

func (b blocks) ReadAt(p []byte, at int64) (int, error)  { return copy(p, b[at:]), nil }
func (b blocks) WriteAt(p []byte, at int64) (int, error) { return copy(b[at:], p), nil }

func (b blocks) add(number, at int, by uint32) {
	field := b[number*size+at:]
	order.PutUint32(field, order.Uint32(field)+by)
}

func (b blocks) own(number int, device uint32, op, shard uint64) {
	order.PutUint64(b[number*size:], inUse|shard<<shardShift|op<<opShift|uint64(device))
}

// done counts requests of a time.
func (b blocks) done(number, bucket int, requests uint32) {
	b.add(number, atDevice+4*bucket, requests)
	b.add(number, atSizes, requests)
}

const drive = 8<<minorBits | 16

func any(uint32, uint32) bool { return true }

func read(t *testing.T, p *Probe, wanted func(major, minor uint32) bool) (s blklat.Sample) {
	t.Helper()
	b, err := p.Append(nil, wanted)
	if err != nil {
		t.Fatal(err)
	}
	if err := blklat.Decode(b, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestShards: processors that count apart are one device, and what they counted
// before is not told again.
func TestShards(t *testing.T) {
	b := make(blocks, 5*size)
	p := newReader(b, 5)
	b.own(4, drive, uint64(blklat.Write), 0)
	b.own(2, drive, uint64(blklat.Write), 1)
	b.own(1, drive, ownDevice, 0)
	b.done(4, 10, 3)
	b.done(2, 10, 4)
	b.done(2, 11, 1)
	b.add(1, atIssued, 12)
	b.add(1, atLeft, 10)
	b.add(1, atMost, 9)
	b.add(0, atMissed, 5)
	s := read(t, p, any)
	if s.Sequence != 1 || s.Missed != 5 || len(s.Items) != 1 {
		t.Fatalf("%+v", s)
	}
	i := s.Items[0]
	if i.Major != 8 || i.Minor != 16 || i.Op != blklat.Write || i.Requests != 8 || i.MostInFlight != 9 {
		t.Errorf("%+v", i)
	}
	if len(i.Device) != 2 || i.Device[0] != (blklat.Count{Bucket: 10, Requests: 7}) || i.Device[1] != (blklat.Count{Bucket: 11, Requests: 1}) {
		t.Errorf("%+v", i.Device)
	}
	b.done(4, 10, 1)
	if i := read(t, p, any).Items[0]; i.Requests != 9 || i.Device.Requests() != 1 || i.MostInFlight != 2 {
		t.Errorf("then %+v", i)
	}
	if s := read(t, p, any); s.Sequence != 3 || len(s.Items) != 0 {
		t.Errorf("while nothing was done %+v", s)
	}
}

// TestUnqueued: requests that are not among queues did not queue. One that is
// among queues before it is among devices is told of once.
func TestUnqueued(t *testing.T) {
	b := make(blocks, 2*size)
	p := newReader(b, 2)
	b.own(1, drive, uint64(blklat.Read), 0)
	queued := func(bucket int, requests uint32) { b.add(1, atQueue+4*bucket, requests) }
	b.done(1, 10, 5)
	queued(20, 2)
	if q := read(t, p, any).Items[0].Queue; len(q) != 2 || q[0] != (blklat.Count{Bucket: 0, Requests: 3}) || q[1] != (blklat.Count{Bucket: 20, Requests: 2}) {
		t.Errorf("%+v", q)
	}
	b.done(1, 10, 1)
	queued(20, 3) // of which two are being counted
	if q := read(t, p, any).Items[0].Queue; len(q) != 1 || q.Requests() != 3 {
		t.Errorf("ahead: %+v", q)
	}
	b.done(1, 10, 3)
	if q := read(t, p, any).Items[0].Queue; len(q) != 1 || q[0] != (blklat.Count{Bucket: 0, Requests: 1}) {
		t.Errorf("then: %+v", q)
	}
}

// TestSpentReads: what timed runs took is told for all.
func TestSpentReads(t *testing.T) {
	b := make(blocks, 2*size)
	p := newReader(b, 2)
	b.add(0, atSpentNs, 300)
	read(t, p, any)
	if got, want := p.Spent(), 300*runsToTimed*time.Nanosecond; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestBeginsAnew: counters of 32 bits begin anew, sums do not.
func TestBeginsAnew(t *testing.T) {
	b := make(blocks, 2*size)
	p := newReader(b, 2)
	b.own(1, drive, uint64(blklat.Read), 0)
	b.done(1, 7, math.MaxUint32)
	read(t, p, any)
	b.done(1, 7, 10)
	if i := read(t, p, any).Items[0]; i.Device.Requests() != 10 || i.Requests != math.MaxUint32+10 {
		t.Errorf("%+v", i)
	}
}

// TestUnwanted: what is not asked for stays to be told.
func TestUnwanted(t *testing.T) {
	b := make(blocks, 2*size)
	p := newReader(b, 2)
	b.own(1, drive, uint64(blklat.Read), 0)
	b.done(1, 7, 3)
	if s := read(t, p, func(major, _ uint32) bool { return major != 8 }); len(s.Items) != 0 {
		t.Errorf("%+v", s)
	}
	b.done(1, 8, 1)
	if s := read(t, p, any); len(s.Items) != 1 || s.Items[0].Device.Requests() != 4 {
		t.Errorf("%+v", s)
	}
}

func TestValidate(t *testing.T) {
	for _, o := range []Options{{Requests: 1, Blocks: 100}, {Requests: 100, Blocks: 1}, {Requests: 1 << 30, Blocks: 100}, {Requests: 100, Blocks: 1 << 30}} {
		if _, err := Open(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
}

// TestUnowned: blocks that were put back do not hide those behind them.
func TestUnowned(t *testing.T) {
	b := make(blocks, 200*size)
	p := newReader(b, 200)
	b.own(mostUnowned, drive, uint64(blklat.Read), 0)
	b.done(mostUnowned, 7, 3)
	if s := read(t, p, any); len(s.Items) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestUnseen: requests that were under way at the begin are not missed, later
// ones are.
func TestUnseen(t *testing.T) {
	b := make(blocks, 2*size)
	p := newReader(b, 2)
	b.add(0, atUnseen, 7)
	for range settledSamples {
		if s := read(t, p, any); s.Missed != 0 {
			t.Fatalf("%d are missed", s.Missed)
		}
	}
	b.add(0, atUnseen, 2)
	b.add(0, atMissed, 1)
	if s := read(t, p, any); s.Missed != 3 {
		t.Errorf("%d are missed, want 3", s.Missed)
	}
}
