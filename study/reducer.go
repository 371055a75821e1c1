package study

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A Reducer takes a stream of drive hours in one pass. It is for one goroutine.
type Reducer struct {
	fleet   *Fleet
	options Options
	kept    float64
	most    int64         // slow hours that are kept
	slow    *atomic.Int64 // those kept so far, by all reducers beside each other
	sorter  *sorter
	binner  *Binner
	drives  []profile // by drive
	lanes   [Directions]*lane
}

// A profile is what the pass needs to know of a drive.
type profile struct {
	deployed int32 // hour, neverHour where it is not known
	parity   bool
	kind     Kind
}

// NewReducer returns one for the records of a fleet.
func NewReducer(f *Fleet, o Options) (*Reducer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Reducer{fleet: f, options: o, kept: o.Kept(), most: mostSlow, slow: new(atomic.Int64), sorter: newSorter(), binner: NewBinner()}, nil
}

// Beside returns a reducer for another stream of the same study: together they
// keep no more slow hours than one may.
func (r *Reducer) Beside() *Reducer {
	return &Reducer{fleet: r.fleet, options: r.options, kept: r.kept, most: r.most, slow: r.slow, sorter: newSorter(), binner: NewBinner()}
}

// Reduce reduces a whole stream.
func Reduce(hours Hours, f *Fleet, o Options) (*Reduction, error) {
	r, err := NewReducer(f, o)
	if err != nil {
		return nil, err
	}
	return r.Reduce(hours)
}

// Reduce takes a whole stream, and is done.
func (r *Reducer) Reduce(hours Hours) (*Reduction, error) {
	var b Batch
	for {
		err := hours.Next(&b)
		if err == io.EOF {
			return r.Reduction()
		}
		if err != nil {
			return nil, err
		}
		if err := r.Add(&b); err != nil {
			return nil, err
		}
	}
}

// Add takes the rows of a batch. It keeps nothing of the batch itself.
func (r *Reducer) Add(b *Batch) error {
	if err := r.check(b); err != nil {
		return err
	}
	r.learn()
	l := r.lane(b.Direction)
	n := b.Len()
	l.account.Rows += int64(n)
	for from := 0; from < n; {
		to := sameHour(b, from)
		if err := l.open(b.Group[from], b.Hour[from]); err != nil {
			return err
		}
		if err := l.gather(b, from, to); err != nil {
			return err
		}
		if len(b.Again) > 0 {
			l.countAgain(b, from, to)
		}
		from = to
	}
	return nil
}

// check reports a batch whose columns do not fit together.
func (r *Reducer) check(b *Batch) error {
	if int(b.Direction) >= Directions {
		return fmt.Errorf("a batch has direction %d: the directions are all, reads and writes", uint8(b.Direction))
	}
	for _, n := range []int{len(b.Group), len(b.Drive), len(b.IOs), len(b.Latency), len(b.Size)} {
		if n != len(b.Hour) {
			return fmt.Errorf("a batch has columns of %d rows and of %d rows: all columns must have the same number of rows", len(b.Hour), n)
		}
	}
	if n := len(b.Again); n > 0 && n != len(b.Hour) {
		return fmt.Errorf("a batch has columns of %d rows and of %d rows: all columns must have the same number of rows", len(b.Hour), n)
	}
	return nil
}

// sameHour is the end of the rows that have the group and hour of the first.
func sameHour(b *Batch, from int) int {
	group, hour := b.Group[from], b.Hour[from]
	to := from + 1
	for to < len(b.Hour) && b.Group[to] == group && b.Hour[to] == hour {
		to++
	}
	return to
}

// learn takes over drives that the fleet has got since.
func (r *Reducer) learn() {
	for i := len(r.drives); i < len(r.fleet.Drives); i++ {
		d := &r.fleet.Drives[i]
		p := profile{deployed: neverHour, parity: d.Role == Parity, kind: d.Kind}
		if !d.Deployed.IsZero() {
			p.deployed = int32(floorDiv(d.Deployed.Unix(), hourSeconds))
		}
		r.drives = append(r.drives, p)
	}
}

func (r *Reducer) lane(d Direction) *lane {
	if r.lanes[d] == nil {
		r.lanes[d] = newLane(r, d)
	}
	return r.lanes[d]
}

// Reduction is what the stream was reduced to, after its last row; nothing may
// be added any more.
func (r *Reducer) Reduction() (*Reduction, error) {
	var parts []*Reduction
	for _, l := range r.lanes {
		if l != nil {
			l.close()
			parts = append(parts, l.reduction())
		}
	}
	if len(parts) == 0 {
		return &Reduction{Options: r.options}, nil
	}
	return Merge(r.fleet, parts...)
}

// clock is an hour for people.
func clock(hour int32) string {
	return time.Unix(int64(hour)*hourSeconds, 0).UTC().Format("2006-01-02 15:04")
}
