package raid

import "iter"

// An Extent is bytes of an array in a row.
type Extent struct{ Off, Len int64 }

func (e Extent) end() int64 { return e.Off + e.Len }

// Steps are what a read of an extent does, one after the other: windows of so
// many stripes, each in parts that are read at the same time. A part is one
// request to the policy, which asks the members in Touched for all of StripesOf.
func (g Geometry) Steps(e Extent, window int) iter.Seq[[]Extent] {
	return func(yield func([]Extent) bool) {
		for w := range g.windows(e, window) {
			if !yield(g.parts(w)) {
				return
			}
		}
	}
}

// windows cut an extent where every window-th stripe from its first begins.
func (g Geometry) windows(e Extent, window int) iter.Seq[Extent] {
	return func(yield func(Extent) bool) {
		for off := e.Off; off < e.end(); {
			to := min((off/g.stripeSize()+int64(window))*g.stripeSize(), e.end())
			if !yield(Extent{off, to - off}) {
				return
			}
			off = to
		}
	}
}

// parts of a window are two where no member has two of the chunks, as in a
// short read over the edge of a stripe: each stripe is read by itself then.
// Otherwise every member is read from the first stripe to the last.
func (g Geometry) parts(e Extent) []Extent {
	from, to := g.StripesOf(e)
	if to-from != 2 || g.chunks(e) > g.Data {
		return []Extent{e}
	}
	edge := (from + 1) * g.stripeSize()
	return []Extent{{e.Off, edge - e.Off}, {edge, e.end() - edge}}
}

// StripesOf are those from the first to before the last that an extent touches.
func (g Geometry) StripesOf(e Extent) (from, to int64) {
	return e.Off / g.stripeSize(), (e.end() + g.stripeSize() - 1) / g.stripeSize()
}

// Touched are the data members that hold some of an extent, in order.
func (g Geometry) Touched(e Extent) []int { return g.holders(e).members() }

func (g Geometry) holders(e Extent) set {
	n, first := g.chunks(e), int(e.Off/ChunkSize%int64(g.Data))
	if n >= g.Data {
		return firstMembers(g.Data)
	}
	var members set
	for i := range n {
		members = members.with((first + i) % g.Data)
	}
	return members
}

// chunks is how many an extent touches.
func (g Geometry) chunks(e Extent) int {
	return int((e.end()+ChunkSize-1)/ChunkSize - e.Off/ChunkSize)
}
