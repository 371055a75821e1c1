package raid

// A region is a range of bytes of an array. Either all of it is a hole on all data members and
// reads as zeros, or all of it is data.
type region struct {
	len  int64
	hole bool
}

// mostExtents is the largest number of stripes that one call of Extents examines.
const mostExtents = 1 << 15

// Extents calls tell with consecutive ranges from off on, at most n bytes in all, and whether each
// is a hole. A stripe is a hole if the files of all data members have a hole there, and the
// checksums of its chunks are 0, as of stripes that were never written. If a member is lost, or the
// holes of a member cannot be found, everything is data.
func (a *Array) Extents(off, n int64, tell func(n int64, hole bool)) error {
	if err := a.gate.enter(); err != nil {
		return err
	}
	defer a.gate.leave()
	if err := a.check64(n, off); err != nil || n == 0 {
		return err
	}
	size := a.geometry.stripeSize()
	from := off / size
	to := min((off+n+size-1)/size, from+mostExtents)
	lock := a.locks.read(from, to)
	defer a.locks.release(lock)
	for _, r := range a.geometry.regions(a.dataStripes(from, to), from, off, off+n) {
		tell(r.len, r.hole)
	}
	return nil
}

// dataStripes returns for each stripe whether it holds data. A stripe that is not known to be a
// hole counts as data.
func (a *Array) dataStripes(from, to int64) []bool {
	r, data := a.roster.Load(), make([]bool, to-from)
	for i := range a.geometry.Data {
		if !r.hasHoles(i) || !r.markData(i, from, to, data) {
			for s := range data {
				data[s] = true
			}
			return data
		}
	}
	return data
}

// A holed member can find the holes of its file.
type holed interface {
	NextData(off int64) (data, hole int64, err error)
}

func (r *roster) hasHoles(i int) bool {
	w, ok := r.members[i].(*watched)
	if !ok || r.lost.has(i) || r.tables[i] == nil {
		return false
	}
	_, ok = w.Member.(holed)
	return ok
}

// markData marks the stripes of which a member holds data. It returns false if the data cannot be
// found.
func (r *roster) markData(i int, from, to int64, data []bool) bool {
	sums, err := r.tables[i].Get(from, int(to-from))
	if err != nil {
		return false
	}
	for s, sum := range sums {
		data[s] = data[s] || sum != 0
	}
	m := r.members[i].(*watched).Member.(holed)
	for at, end := r.geometry.offset(from), r.geometry.offset(to); at < end; {
		begin, hole, err := m.NextData(at)
		if err != nil {
			return false
		}
		for s := max(begin, at) - r.geometry.offset(from); s < min(hole, end)-r.geometry.offset(from); s += ChunkSize {
			data[s/ChunkSize] = true
		}
		at = max(hole, at+1)
	}
	return true
}

// regions joins neighbouring stripes that are all data or all holes, within the bytes off … end-1.
func (g Geometry) regions(data []bool, from, off, end int64) (list []region) {
	for s, is := range data {
		lo, hi := max(off, (from+int64(s))*g.stripeSize()), min(end, (from+int64(s)+1)*g.stripeSize())
		if last := len(list) - 1; last >= 0 && list[last].hole == !is {
			list[last].len += hi - lo
			continue
		}
		list = append(list, region{hi - lo, !is})
	}
	return list
}
