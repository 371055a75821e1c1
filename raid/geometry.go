package raid

import (
	"fmt"

	"github.com/limpet-storage/limpet/raid/member"
)

// ChunkSize is the number of bytes of a stripe on one member (T16 §3.2), and the unit of every I/O.
const ChunkSize = member.ChunkSize

// A Member is a drive of an array.
type Member = member.Member

// parities is the number of parity members: P and Q.
const parities = 2

// MaxData is the largest number of data members: a superblock has one 64-bit word with a bit for
// each member.
const MaxData = 64 - parities

// MaxJournal is the largest number of stripes, each with a checksum, that fit into the header of a
// journal record.
const MaxJournal = (ChunkSize - recordFixed) / (8 + 4)

// plainJournal is the same number without checksums.
const plainJournal = (ChunkSize - recordFixed) / 8

// A Geometry describes the layout of an array on its members. Members 0 … Data-1 hold data, member
// Data is P and member Data+1 is Q. In chunks, a member holds
//
//	0            superblock of even events
//	1            superblock of odd events
//	2            journal slot of even batches: header, Journal chunks
//	3+Journal    journal slot of odd batches
//	4+2·Journal  its chunk of stripe 0, 1, 2 …
//
// and after the last stripe, if the array has checksums, the table of the checksums.
type Geometry struct {
	Data      int
	Stripes   int64
	Journal   int // chunks of a member that one batch may write
	Checksums bool
}

// Members returns the number of members, with P and Q.
func (g Geometry) Members() int { return g.Data + parities }

// Size returns the size of the array in bytes.
func (g Geometry) Size() int64 { return g.Stripes * g.stripeSize() }

// MemberSize returns the number of bytes that each member must have.
func (g Geometry) MemberSize() int64 { return g.offset(g.Stripes) + g.tableSize() }

// tableSize returns the size of the checksum table of a member in bytes. The table follows the last
// chunk.
func (g Geometry) tableSize() int64 {
	if !g.Checksums {
		return 0
	}
	return member.Blocks(g.Stripes) * ChunkSize
}

// fill returns the geometry with as many stripes as fit on members of size bytes.
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

// offset returns the offset of a stripe's chunk on a member.
func (g Geometry) offset(stripe int64) int64 {
	return (superblocks+2*(1+int64(g.Journal)))*ChunkSize + stripe*ChunkSize
}

// slot returns the offset of a batch's record on a member.
func (g Geometry) slot(seq uint64) int64 {
	return superblocks*ChunkSize + int64(seq%2)*int64(1+g.Journal)*ChunkSize
}

// name returns "P", "Q", or the number of a data member.
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

// Validate returns an error if the geometry is not possible.
func (g Geometry) Validate() error {
	if g.Data < 2 || g.Data > MaxData {
		return fmt.Errorf("the number of data members is %d, but must be from 2 to %d", g.Data, MaxData)
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

// maxStripes keeps the sizes of arrays below 2^63 bytes.
const maxStripes = 1 << 44
