package replay

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
)

// still is a member that answers at once.
type still struct{ raid.Member }

func (still) Size() int64 { return 1 << 30 }

// I/Os wait for those before them, go on where the last one ended without a
// seek, and are as much faster as the trace is played.
func TestEmulate(t *testing.T) {
	o := Default()
	o.As, o.Speed = Disk, 4
	e, err := o.As.emulate(still{}, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	first := e.ends(1<<29, 64<<10, now)
	next := e.ends(1<<29+64<<10, 64<<10, now)
	far := e.ends(0, 64<<10, now)
	if d := first.Sub(now); d < 2*time.Millisecond || d > 6*time.Millisecond {
		t.Errorf("a read in the middle takes %v, a quarter of a seek and up to a revolution", d)
	}
	if d := next.Sub(first); d < 150*time.Microsecond || d > 200*time.Microsecond {
		t.Errorf("the read after it takes %v, a quarter of its transfer", d)
	}
	if d := far.Sub(next); d < 2*time.Millisecond {
		t.Errorf("a read elsewhere takes %v, no seek", d)
	}
	if e.ends(64<<10, 0, far.Add(time.Second)).Before(far.Add(time.Second)) {
		t.Error("an idle drive answered before it was asked")
	}
}
