package source

import (
	"context"
	"io"
	"math"
)

// A stage turns records in the order of time into complete hours.
type stage interface {
	// next appends some complete hours. It returns io.EOF with the last hours,
	// or after them.
	next(context.Context, feed, *records) error
	// folded returns the counts of the records that were folded.
	folded() Folding
}

// A Folding counts records that were folded to hours. Every record is either left out
// (Repeated, Edge) or a part of one of the Hours.
type Folding struct {
	Records  int64
	Repeated int64 // left out: the drive already has a record at this time
	Edge     int64 // left out: the data cover too little of the first or last hour
	Pace
	Drives []Pace // by drive
}

// A Pace counts drive hours by their number of records.
type Pace struct {
	Hours  int64 // drive hours
	Single int64 // drive hours with one record
	Double int64 // drive hours with two records
}

// Add adds the counts of another Pace.
func (p *Pace) Add(o Pace) {
	p.Hours += o.Hours
	p.Single += o.Single
	p.Double += o.Double
}

// paceOf returns the Pace of one drive hour with this number of records.
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

// Uneven reports whether records seem to be hourly, but do not come exactly once an hour:
//
//   - at least 19 of 20 drive hours have one or two records;
//   - more than 1 of 20 drive hours has two records;
//   - fewer drive hours have two records than one.
func (p Pace) Uneven() bool {
	const rare = 20 // rare: at most one in 20
	few := p.Single + p.Double
	return rare*(p.Hours-few) <= p.Hours && rare*p.Double > p.Hours && p.Double < p.Single
}

// tellingHours is the smallest number of hours from which a drive's pace is judged: with fewer
// hours it may be chance.
const tellingHours = 24

// UnevenDrives returns the drives whose own pace is uneven, for example the drives of a host
// that writes its records near the full hour.
func (f Folding) UnevenDrives() (drives []int) {
	for i, p := range f.Drives {
		if p.Hours >= tellingHours && p.Uneven() {
			drives = append(drives, i)
		}
	}
	return drives
}

// Merged returns the number of records that were added to an earlier record of the same drive
// hour.
func (f Folding) Merged() int64 { return f.Records - f.Repeated - f.Edge - f.Hours }

// Add adds the counts of another stream's Folding.
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

// A folder folds finer records into one record for each drive, group and hour. It keeps a sum
// for each drive, and no records.
type folder struct {
	rates  []bool // by direction: requests are a rate
	in     *records
	hour   int32
	slots  []int32 // by drive: index of its latest sum + 1; 0: none
	sums   []driveSum
	parts  []sum // by index of the driveSum, then direction
	counts Folding
}

// A driveSum holds the records of a drive in a group within the hour.
type driveSum struct {
	group, drive int32
	records      int32
	micro        uint32 // Micro of the last record
	other        int32  // index of the drive's sum in another group + 1; 0: none
}

// A sum adds up the records of a drive in one direction.
type sum struct {
	ios           float64
	counts        int // records with a count
	latency, size weighted
}

// A weighted sum keeps values with a weight separate from values without a weight.
type weighted struct {
	sum, weight float64 // sum of value * weight, and sum of weights
	plain       float64 // sum of the values without a weight
	n           int     // number of the values without a weight
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

// take adds a record to its sum, unless the drive already had a record at this time.
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

// find returns the index of the sum of a drive in a group, and adds a sum if there is none.
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

// Add adds a record; NaN: missing.
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

// mean returns the mean over requests, or over records if no record has a count.
func (w *weighted) mean(counts int) float32 {
	switch {
	case w.weight > 0:
		return float32(w.sum / w.weight)
	case counts == 0 && w.n > 0:
		return float32(w.plain / float64(w.n))
	}
	return missing
}

// Latency returns the mean over requests, or over records if no record has a count; NaN if
// there is none.
func (p *sum) Latency() float32 { return p.latency.mean(p.counts) }

// Size returns the mean size, in the same way as Latency.
func (p *sum) Size() float32 { return p.size.mean(p.counts) }

// IOs returns the sum of the requests, or their mean if rate is true; NaN if no record has a
// count.
func (p *sum) IOs(rate bool) float32 {
	switch {
	case p.counts == 0:
		return missing
	case rate:
		return float32(p.ios / float64(p.counts))
	}
	return float32(math.Min(p.ios, math.MaxFloat32))
}

// end appends the hour to out and clears the sums.
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
