package raid

import (
	"fmt"

	"github.com/limpet-storage/limpet/raid/member"
)

// ChunkSize is what one member holds of a stripe (T16 §3.2), and the unit of
// every I/O.
const ChunkSize = member.ChunkSize

// A Member is a drive of an array.
type Member = member.Member

// parities are P and Q.
const parities = 2

// MaxData is how many data members an array may have: a superblock names
// members by the bits of one word.
const MaxData = 64 - parities

// MaxJournal is how many stripes, each with a checksum, fit the header of a
// journal record.
const MaxJournal = (ChunkSize - recordFixed) / (8 + 4)

// plainJournal is the same without checksums.
const plainJournal = (ChunkSize - recordFixed) / 8

// A Geometry is how an array lies on its members. Members 0 … Data-1 hold
// data, Data is P and Data+1 is Q. A member is, in chunks,
//
//	0            superblock of even events
//	1            superblock of odd events
//	2            journal slot of even batches: header, Journal chunks
//	3+Journal    journal slot of odd batches
//	4+2·Journal  its chunk of stripe 0, 1, 2 …
//
// and after the last stripe, where the array has checksums, the table of those.
type Geometry struct {
	Data      int
	Stripes   int64
	Journal   int // chunks of a member that one batch may write
	Checksums bool
}

// Members is how many members the array has, P and Q among them.
func (g Geometry) Members() int { return g.Data + parities }

// Size is how many bytes the array holds.
func (g Geometry) Size() int64 { return g.Stripes * g.stripeSize() }

// MemberSize is how many bytes each member has to have.
func (g Geometry) MemberSize() int64 { return g.offset(g.Stripes) + g.tableSize() }

// tableSize is how many bytes the checksums of a member take. They begin where
// its chunks end.
func (g Geometry) tableSize() int64 {
	if !g.Checksums {
		return 0
	}
	return member.Blocks(g.Stripes) * ChunkSize
}

// fill takes as many stripes as members of so many bytes have room for.
func (g Geometry) fill(size int64) Geometry {
	room := (size - g.offset(0)) / ChunkSize
	g.Stripes = room
	if g.Checksums {
		for g.Stripes = max(0, room-member.Blocks(room)-1); g.Stripes+1+member.Blocks(g.Stripes+1) <= room; {
			g.Stripes++
		}
	}
	return g
}

func (g Geometry) stripeSize() int64 { return int64(g.Data) * ChunkSize }

// offset is where a member holds its chunk of a stripe.
func (g Geometry) offset(stripe int64) int64 {
	return (superblocks+2*(1+int64(g.Journal)))*ChunkSize + stripe*ChunkSize
}

// slot is where the record of a batch stands.
func (g Geometry) slot(seq uint64) int64 {
	return superblocks*ChunkSize + int64(seq%2)*int64(1+g.Journal)*ChunkSize
}

// name says what a member holds.
func (g Geometry) name(member int) string {
	switch member {
	case g.Data:
		return "P"
	case g.Data + 1:
		return "Q"
	default:
		return fmt.Sprint(member)
	}
}

// Validate says what is wrong with the geometry.
func (g Geometry) Validate() error {
	if g.Data < 2 || g.Data > MaxData {
		return fmt.Errorf("%d data members are not possible: give 2 to %d data members", g.Data, MaxData)
	}
	most := plainJournal
	if g.Checksums {
		most = MaxJournal
	}
	if g.Journal < 1 || g.Journal > most {
		return fmt.Errorf("a journal of %d chunks is not possible: give 1 to %d chunks", g.Journal, most)
	}
	if g.Stripes < 1 || g.Stripes > maxStripes {
		return fmt.Errorf("the members are too small (%d stripes): give members of at least %d bytes", g.Stripes, g.offset(1))
	}
	return nil
}

// maxStripes keeps sizes of arrays within 63 bits.
const maxStripes = 1 << 44
