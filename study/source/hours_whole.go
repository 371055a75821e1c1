package source

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
)

// wholeHours keeps records until their hour is complete. If an hour has far more records than
// its drives can have, wholeHours keeps only one of several equal records.
type wholeHours struct {
	held    *records
	maxRows int
	drives  int
	folding bool    // equal records of the current hour are dropped
	latest  []int32 // by drive: index of its latest record in the hour + 1; 0: none
}

func (w *wholeHours) next(ctx context.Context, f feed, out *records) error {
	for {
		from := w.held.Len()
		err := f.Read(ctx, w.held)
		if err == nil || err == io.EOF {
			err = cmp.Or(w.bound(from), err)
		}
		if err == io.EOF {
			*out, *w.held = *w.held, *out
		}
		if err != nil {
			return err
		}
		if last := w.lastHour(min(from, w.held.Len()-1)); last > 0 {
			*out, *w.held = *w.held, *out
			w.held.Add(out, last, out.Len())
			out.Cut(last)
			w.beginHour()
			return nil
		}
	}
}

// beginHour resets the state at the start of an hour. held already has some records of the hour.
func (w *wholeHours) beginHour() {
	w.folding = slices.ContainsFunc(w.held.Again, func(n int32) bool { return n > 0 })
	if !w.folding {
		w.held.Again = w.held.Again[:0]
		return
	}
	clear(w.latest)
	for i, drive := range w.held.Drive {
		w.latest[drive] = int32(i + 1)
	}
}

// lastHour returns the index at which the last hour of the held records begins. The records
// from index from on are new.
func (w *wholeHours) lastHour(from int) int {
	last, hour := w.held.Len(), w.held.Hour[w.held.Len()-1]
	for last > from && w.held.Hour[last-1] == hour {
		last--
	}
	if last > 0 && w.held.Hour[last-1] == hour {
		return 0
	}
	return last
}

// recordsPerDriveBeforeFolding is the mean number of records of a drive in an hour from which equal
// records are dropped.
const recordsPerDriveBeforeFolding = 2

// bound drops equal records of a crowded hour. It returns an error if the hour still has more
// than maxRows records. The records from index from on are new.
func (w *wholeHours) bound(from int) error {
	if !w.folding {
		if w.held.Len() < max(recordsPerDriveBeforeFolding*w.drives, pieceRows) {
			return nil
		}
		w.folding, w.latest, from = true, make([]int32, w.drives), 0
	}
	w.fold(from)
	if w.held.Len() > w.maxRows {
		return fmt.Errorf("an hour has more than %d records of %d drives, but each drive should have one record per hour: correct the settings \"time\" or \"drive\" in the description file, or raise --max-memory", w.maxRows, w.drives)
	}
	return nil
}

// fold keeps only the first of several equal, consecutive records of a drive, and counts the
// others in Again.
func (w *wholeHours) fold(from int) {
	h, kept := w.held, from
	for len(h.Again) < h.Len() {
		h.Again = append(h.Again, 0)
	}
	for i := from; i < h.Len(); i++ {
		latest := &w.latest[h.Drive[i]]
		if before := int(*latest) - 1; before >= 0 && h.equal(before, i) && h.Again[before] < math.MaxInt32 {
			h.Again[before]++
			continue
		}
		h.move(kept, i)
		kept++
		*latest = int32(kept)
	}
	h.Cut(kept)
}

func (w *wholeHours) folded() Folding { return Folding{} }

// equal reports whether two records of a drive are the same.
func (r *records) equal(i, k int) bool {
	same := r.Hour[i] == r.Hour[k] && r.Group[i] == r.Group[k]
	for d := range r.Measure {
		m := &r.Measure[d]
		for _, column := range [][]float32{m.IOs, m.Latency, m.Size} {
			same = same && math.Float32bits(column[i]) == math.Float32bits(column[k])
		}
	}
	return same
}

// move copies a record to an index before it.
func (r *records) move(to, from int) {
	r.Hour[to], r.Group[to], r.Drive[to], r.Again[to] = r.Hour[from], r.Group[from], r.Drive[from], r.Again[from]
	for d := range r.Measure {
		m := &r.Measure[d]
		m.IOs[to], m.Latency[to], m.Size[to] = m.IOs[from], m.Latency[from], m.Size[from]
	}
}
