package source

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
)

// wholeHours holds records back until their hour is complete. Of an hour that
// has far more than the drives could have, equal records are held once.
type wholeHours struct {
	held    *records
	maxRows int
	drives  int
	folding bool    // the hour that is held
	latest  []int32 // by drive: place of its latest record in the hour, from 1 on
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
			w.forget()
			return nil
		}
	}
}

// forget begins another hour, of which some records are held.
func (w *wholeHours) forget() {
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

// lastHour is where the last hour of the records begins, of which those from a
// place on are new.
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

// crowd is how many records a drive may have in an hour before they are
// looked at.
const crowd = 2

// bound keeps the hour within memory; the records from a place on are new.
func (w *wholeHours) bound(from int) error {
	if !w.folding {
		if w.held.Len() < max(crowd*w.drives, pieceRows) {
			return nil
		}
		w.folding, w.latest, from = true, make([]int32, w.drives), 0
	}
	w.fold(from)
	if w.held.Len() > w.maxRows {
		return fmt.Errorf("an hour has more than %d records of %d drives, but a drive should have one record: correct the settings \"time\" or \"drive\" in the description file, or allow more memory", w.maxRows, w.drives)
	}
	return nil
}

// fold keeps one of equal records that follow each other of a drive.
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

// equal says whether two records of a drive are the same.
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

// move copies a record to a place before it.
func (r *records) move(to, from int) {
	r.Hour[to], r.Group[to], r.Drive[to], r.Again[to] = r.Hour[from], r.Group[from], r.Drive[from], r.Again[from]
	for d := range r.Measure {
		m := &r.Measure[d]
		m.IOs[to], m.Latency[to], m.Size[to] = m.IOs[from], m.Latency[from], m.Size[from]
	}
}
