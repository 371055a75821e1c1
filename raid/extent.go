package raid

import "iter"

// An Extent is a range of Len bytes of an array, from Off on.
type Extent struct{ Off, Len int64 }

func (e Extent) end() int64 { return e.Off + e.Len }

// Steps yields the parts of each step of a read. A step reads at most window stripes, and its parts
// are read at the same time. Each part is one request to the policy: it reads the stripes
// StripesOf(part) from the members Touched(part).
func (g Geometry) Steps(e Extent, window int) iter.Seq[[]Extent] {
	return func(yield func([]Extent) bool) {
		for w := range g.windows(e, window) {
			if !yield(g.parts(w)) {
				return
			}
		}
	}
}

// windows cuts an extent into pieces of window stripes, counted from its first stripe.
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

// parts returns the parts of a window. If the window touches two stripes and no member holds two of
// its chunks, as in a short read across the edge of a stripe, each stripe is a part. Otherwise the
// whole window is one part.
func (g Geometry) parts(e Extent) []Extent {
	from, to := g.StripesOf(e)
	if to-from != 2 || g.chunks(e) > g.Data {
		return []Extent{e}
	}
	edge := (from + 1) * g.stripeSize()
	return []Extent{{e.Off, edge - e.Off}, {edge, e.end() - edge}}
}

// StripesOf returns the range of stripes that an extent touches: from … to-1.
func (g Geometry) StripesOf(e Extent) (from, to int64) {
	return e.Off / g.stripeSize(), (e.end() + g.stripeSize() - 1) / g.stripeSize()
}

// Touched returns the data members that hold bytes of an extent, in order.
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

// chunks returns the number of chunks that an extent touches.
func (g Geometry) chunks(e Extent) int {
	return int((e.end()+ChunkSize-1)/ChunkSize - e.Off/ChunkSize)
}
