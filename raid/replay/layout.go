package replay

import "slices"

// chunk is how many bytes of a stripe a member has (T16 §5).
const chunk = 4096

// A Layout is the shape of an array: parity does not rotate.
type Layout struct{ Data, Parity int }

// DefaultLayout is RAID-6 over 8 data drives.
func DefaultLayout() Layout { return Layout{Data: 8, Parity: 2} }

func (l Layout) members() int { return l.Data + l.Parity }

// An extent is what a request asks: the same bytes of each member that it
// wants.
type extent struct {
	want          []int
	offset, bytes int64
}

// extent is where bytes of the array lie. A real array cuts requests of many
// stripes, and short ones over the edge of a stripe; here each is one.
func (l Layout) extent(offset, length int64) extent {
	data := int64(l.Data)
	from, to := offset/chunk, (offset+length-1)/chunk // chunks
	e := extent{offset: from / data * chunk, bytes: (to/data - from/data + 1) * chunk}
	for c := from; c <= to && c < from+data; c++ {
		e.want = append(e.want, int(c%data))
	}
	slices.Sort(e.want)
	return e
}
