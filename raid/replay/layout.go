package replay

import (
	"slices"

	"github.com/limpet-storage/limpet/raid"
)

// chunk is how many bytes of a stripe a member has (T16 §5).
const chunk = raid.ChunkSize

// A Layout is the shape of an array: parity does not rotate.
type Layout struct{ Data, Parity int }

// DefaultLayout is RAID-6 over 8 data drives.
func DefaultLayout() Layout { return Layout{Data: 8, Parity: 2} }

func (l Layout) members() int { return l.Data + l.Parity }

func (l Layout) geometry() raid.Geometry { return raid.Geometry{Data: l.Data} }

// An extent is what a part of a request asks: the same bytes of each member
// that it wants.
type extent struct {
	want          []int
	offset, bytes int64
}

// steps are how a real array cuts a read.
func (l Layout) steps(e raid.Extent) [][]raid.Extent {
	return slices.Collect(l.geometry().Steps(e, raid.DefaultOptions().Window))
}

// extent is where bytes of the array lie.
func (l Layout) extent(e raid.Extent) extent {
	g := l.geometry()
	from, to := g.StripesOf(e)
	return extent{want: g.Touched(e), offset: from * chunk, bytes: (to - from) * chunk}
}
