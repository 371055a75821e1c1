package study

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A Reducer reduces a stream of drive hours in one pass. Only one goroutine may use it.
type Reducer struct {
	fleet   *Fleet
	options Options
	kept    float64
	most    int64         // largest number of slow hours
	slow    *atomic.Int64 // slow hours kept so far, by this reducer and its Beside reducers
	sorter  *sorter
	binner  *Binner
	drives  []profile // by drive
	lanes   [Directions]*lane
}

// A profile holds the facts about a drive that the pass needs.
type profile struct {
	deployed int32 // hour; neverHour: unknown
	parity   bool
	kind     Kind
}

// NewReducer returns a reducer for the records of a fleet.
func NewReducer(f *Fleet, o Options) (*Reducer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Reducer{fleet: f, options: o, kept: o.Kept(), most: mostSlow, slow: new(atomic.Int64), sorter: newSorter(), binner: NewBinner()}, nil
}

// Beside returns a reducer for another stream of the same study. Both share the limit of slow
// hours.
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

// Reduce reduces a whole stream. The reducer must not be used afterwards.
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

// Add adds the rows of a batch. The caller may change the batch afterwards.
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

// check returns an error if the direction of a batch is unknown or its columns differ in length.
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

// sameHour returns the end of the run of rows with the group and hour of the row from.
func sameHour(b *Batch, from int) int {
	group, hour := b.Group[from], b.Hour[from]
	to := from + 1
	for to < len(b.Hour) && b.Group[to] == group && b.Hour[to] == hour {
		to++
	}
	return to
}

// learn adds the drives that were added to the fleet since the last call.
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

// Reduction returns the reduction after the last row. No rows may be added afterwards.
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

// clock writes an hour as date and time in UTC.
func clock(hour int32) string {
	return time.Unix(int64(hour)*hourSeconds, 0).UTC().Format("2006-01-02 15:04")
}
