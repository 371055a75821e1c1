package replay

import (
	"slices"

	"github.com/limpet-storage/limpet/raid"
)

// chunk is the number of bytes of a stripe on a member (T16 §5).
const chunk = raid.ChunkSize

// A Layout is the number of data and parity members. Parity does not rotate.
type Layout struct{ Data, Parity int }

// DefaultLayout returns RAID-6 over 8 data drives.
func DefaultLayout() Layout { return Layout{Data: 8, Parity: 2} }

func (l Layout) members() int { return l.Data + l.Parity }

func (l Layout) geometry() raid.Geometry { return raid.Geometry{Data: l.Data} }

// An extent is the bytes that a part of a request reads from each wanted member.
type extent struct {
	want          []int
	offset, bytes int64
}

// steps returns the steps of a read, as a real array cuts it.
func (l Layout) steps(e raid.Extent) [][]raid.Extent {
	return slices.Collect(l.geometry().Steps(e, raid.DefaultOptions().Window))
}

// extent returns the place of some bytes of the array on the members.
func (l Layout) extent(e raid.Extent) extent {
	g := l.geometry()
	from, to := g.StripesOf(e)
	return extent{want: g.Touched(e), offset: from * chunk, bytes: (to - from) * chunk}
}
