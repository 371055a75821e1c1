package source

import (
	"context"
	"io"
	"math"
)

// A stage makes whole hours of records in the order of time.
type stage interface {
	// next appends some hours, as they are complete; with the last ones,
	// or none, it returns io.EOF.
	next(context.Context, feed, *records) error
	// folded counts what became of records that were folded.
	folded() Folding
}

// A Folding counts what became of records that were folded to hours. Every
// record is Repeated, at the Edge, or has its part in one of the Hours.
type Folding struct {
	Records  int64
	Repeated int64 // left out: of a drive at a time that it had a record of already
	Edge     int64 // left out: of an hour that the data only touch, at their begin or end
	Pace
	Drives []Pace // of each drive
}

// A Pace is how often records come.
type Pace struct {
	Hours  int64 // of drives
	Single int64 // of them, made of one record
	Double int64 // of two
}

// Add adds the counts of others.
func (p *Pace) Add(o Pace) {
	p.Hours += o.Hours
	p.Single += o.Single
	p.Double += o.Double
}

// paceOf is that of an hour with so many records.
func paceOf(records int32) Pace {
	p := Pace{Hours: 1}
	switch records {
	case 1:
		p.Single = 1
	case 2:
		p.Double = 1
	}
	return p
}

// Uneven reports whether records seem to be hourly and yet do not come once an
// hour: nearly all hours that have some have one or two, neither is rare, and
// two are the exception.
func (p Pace) Uneven() bool {
	const rare = 20 // one in so many
	few := p.Single + p.Double
	return rare*(p.Hours-few) <= p.Hours && rare*p.Double > p.Hours && p.Double < p.Single
}

// tellingHours is how many hours a drive's pace is told by: fewer may be so by
// chance.
const tellingHours = 24

// UnevenDrives are the drives that are so by themselves, as those of a host whose
// clock strikes near the full hour.
func (f Folding) UnevenDrives() (drives []int) {
	for i, p := range f.Drives {
		if p.Hours >= tellingHours && p.Uneven() {
			drives = append(drives, i)
		}
	}
	return drives
}

// Merged counts the records that had one of their drive's hour before them.
func (f Folding) Merged() int64 { return f.Records - f.Repeated - f.Edge - f.Hours }

// Add adds the counts of another stream.
func (f *Folding) Add(o Folding) {
	f.Records += o.Records
	f.Repeated += o.Repeated
	f.Edge += o.Edge
	f.Pace.Add(o.Pace)
	if len(f.Drives) == 0 {
		f.Drives = make([]Pace, len(o.Drives))
	}
	for i, p := range o.Drives {
		f.Drives[i].Add(p)
	}
}

// A folder folds finer records into one for each drive, group and hour. It
// holds a sum for each drive, and no record.
type folder struct {
	rates  []bool // by direction: requests are a rate
	in     *records
	hour   int32
	slots  []int32 // by drive: its latest sum in the hour, from 1 on; 0: none
	sums   []driveSum
	parts  []sum // by sum, then direction
	counts Folding
}

// A driveSum is what a drive did in a group within the hour.
type driveSum struct {
	group, drive int32
	records      int32
	micro        uint32 // of its last record
	other        int32  // of the same drive in another group, from 1 on; 0: none
}

// A sum is what a drive did, of one direction, in the making.
type sum struct {
	ios           float64
	counts        int // records with a count
	latency, size weighted
}

// A weighted sum keeps values with a weight and values without one apart.
type weighted struct {
	sum, weight float64
	plain       float64
	n           int
}

func (f *folder) folded() Folding { return f.counts }

func newFolder(drives int, rates []bool) *folder {
	return &folder{rates: rates, in: newRecords(len(rates)), slots: make([]int32, drives), counts: Folding{Drives: make([]Pace, drives)}}
}

func (f *folder) next(ctx context.Context, from feed, out *records) error {
	for out.Len() == 0 {
		f.in.Reset()
		err := from.Read(ctx, f.in)
		if err == io.EOF {
			f.end(out)
		}
		if err != nil {
			return err
		}
		for i, hour := range f.in.Hour {
			if hour != f.hour {
				f.end(out)
				f.hour = hour
			}
			f.take(f.in, i)
		}
	}
	return nil
}

// take adds a record to its sum, unless the drive had one at that time.
func (f *folder) take(in *records, i int) {
	at, isNew := f.find(in.Group[i], in.Drive[i])
	s := &f.sums[at]
	f.counts.Records++
	if !isNew && s.micro == in.Micro[i] {
		f.counts.Repeated++
		return
	}
	s.micro = in.Micro[i]
	s.records++
	for d := range f.rates {
		m := &in.Measure[d]
		f.parts[at*len(f.rates)+d].Add(m.IOs[i], m.Latency[i], m.Size[i])
	}
}

// find returns the sum of a drive in a group.
func (f *folder) find(group, drive int32) (at int, isNew bool) {
	for slot := f.slots[drive]; slot > 0; slot = f.sums[slot-1].other {
		if f.sums[slot-1].group == group {
			return int(slot - 1), false
		}
	}
	f.sums = append(f.sums, driveSum{group: group, drive: drive, other: f.slots[drive]})
	for range f.rates {
		f.parts = append(f.parts, sum{})
	}
	f.slots[drive] = int32(len(f.sums))
	return len(f.sums) - 1, true
}

// Add takes a record; what is missing in it is NaN.
func (p *sum) Add(ios, latency, size float32) {
	if ios == ios {
		p.ios += float64(ios)
		p.counts++
	}
	p.latency.add(latency, ios)
	p.size.add(size, ios)
}

func (w *weighted) add(v, weight float32) {
	switch {
	case v != v:
	case weight != weight:
		w.plain += float64(v)
		w.n++
	case weight > 0:
		w.sum += float64(v) * float64(weight)
		w.weight += float64(weight)
	}
}

// mean is over requests, or over records where none has a count.
func (w *weighted) mean(counts int) float32 {
	switch {
	case w.weight > 0:
		return float32(w.sum / w.weight)
	case counts == 0 && w.n > 0:
		return float32(w.plain / float64(w.n))
	}
	return missing
}

// Latency is the mean over requests, or over records where none has a count;
// NaN where there is none.
func (p *sum) Latency() float32 { return p.latency.mean(p.counts) }

// Size is likewise.
func (p *sum) Size() float32 { return p.size.mean(p.counts) }

// IOs are all requests, or the mean where records have rates; NaN where none
// has a count.
func (p *sum) IOs(rate bool) float32 {
	switch {
	case p.counts == 0:
		return missing
	case rate:
		return float32(p.ios / float64(p.counts))
	}
	return float32(math.Min(p.ios, math.MaxFloat32))
}

// end appends the hour.
func (f *folder) end(out *records) {
	for i := range f.sums {
		s := &f.sums[i]
		f.slots[s.drive] = 0
		p := paceOf(s.records)
		f.counts.Pace.Add(p)
		f.counts.Drives[s.drive].Add(p)
		out.Hour, out.Group, out.Drive = append(out.Hour, f.hour), append(out.Group, s.group), append(out.Drive, s.drive)
		for d, rate := range f.rates {
			sum, m := &f.parts[i*len(f.rates)+d], &out.Measure[d]
			m.IOs = append(m.IOs, sum.IOs(rate))
			m.Latency = append(m.Latency, sum.Latency())
			m.Size = append(m.Size, sum.Size())
		}
	}
	f.sums, f.parts = f.sums[:0], f.parts[:0]
}
