package raid

// A region is bytes of an array in a row that are in holes of all members, and
// read as zeros, or not.
type region struct {
	len  int64
	hole bool
}

// mostExtents is how many stripes one question looks at.
const mostExtents = 1 << 15

// Extents tells where from off on an array holds nothing: of lengths in order,
// n bytes or less in all, whether they are a hole. A stripe is a hole where the files of all data members have
// one, and their checksums say that it ought to be there. Where a member is
// lost, or nobody can tell, all is data.
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

// dataStripes are those that are not known to be holes.
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

// A holed member knows where it holds nothing.
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

// markData marks stripes of which a member holds something. It is false where
// that cannot be found out.
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

// regions joins stripes alike, within a range of bytes.
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
