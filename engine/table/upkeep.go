package table

import "encoding/binary"

// Work is what an array or a pool does to itself.
type Work uint8

// The works.
const (
	NoWork     Work = iota // none that is known
	Rebuilding             // a drive is filled anew, or all are made to agree
	Checking               // what is stored is read and compared
	numWorks
)

// WorkOf is what a recorder's word for upkeep means: that of md, or of ZFS.
func WorkOf(word string) Work {
	switch word {
	case "resync", "recover", "reshape", "repair", "resilver":
		return Rebuilding
	case "check", "scrub":
		return Checking
	}
	return NoWork
}

// MaxUpkeepBytes bounds what AppendUpkeep appends for a row of so many components.
func MaxUpkeepBytes(components int) int { return binary.MaxVarintLen64 + 6*components }

// AppendUpkeep appends the upkeep of a row, for a log of rows: how many components
// have any, and of each how far it is behind the one before, and its work.
func (r *Row) AppendUpkeep(dst []byte) []byte {
	n := uint64(0)
	for _, work := range r.Upkeep {
		if work != NoWork {
			n++
		}
	}
	dst = binary.AppendUvarint(dst, n)
	next := 0
	for c, work := range r.Upkeep {
		if work != NoWork {
			dst = append(binary.AppendUvarint(dst, uint64(c-next)), byte(work))
			next = c + 1
		}
	}
	return dst
}

// TakeUpkeep reads what AppendUpkeep wrote into a row of the same form, and returns
// what follows. It returns false where it is none.
func (r *Row) TakeUpkeep(b []byte) (rest []byte, ok bool) {
	clear(r.Upkeep)
	n, size := binary.Uvarint(b)
	components := uint64(len(r.Upkeep))
	if size <= 0 || n > components {
		return nil, false
	}
	b = b[size:]
	next := uint64(0)
	for range n {
		gap, size := binary.Uvarint(b)
		if size <= 0 || len(b) <= size || gap >= components || next+gap >= components {
			return nil, false
		}
		work := Work(b[size])
		if work == NoWork || work >= numWorks {
			return nil, false
		}
		r.Upkeep[next+gap] = work
		next, b = next+gap+1, b[size+1:]
	}
	return b, true
}
