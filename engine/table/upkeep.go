package table

import "encoding/binary"

// Work is a kind of upkeep. Upkeep is work that an array or a pool does on its own, and not for
// requests of clients.
type Work uint8

// The kinds of upkeep.
const (
	NoWork     Work = iota // no upkeep, or unknown
	Rebuilding             // the array rebuilds a drive, or makes all drives consistent
	Checking               // the array reads and compares all data
	numWorks
)

// WorkOf returns the kind of upkeep for a keyword in the status of Linux md or ZFS.
func WorkOf(word string) Work {
	switch word {
	case "resync", "recover", "reshape", "repair", "resilver":
		return Rebuilding
	case "check", "scrub":
		return Checking
	}
	return NoWork
}

// MaxUpkeepBytes returns the greatest number of bytes that AppendUpkeep appends for this number of
// components.
func MaxUpkeepBytes(components int) int { return binary.MaxVarintLen64 + 6*components }

// AppendUpkeep appends the upkeep of a row to dst, for a log of rows, in this form:
//
//	number of components with upkeep (varint)
//	for each of these components:
//	  number of components without upkeep since the previous component with upkeep (varint)
//	  kind of upkeep (byte)
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

// TakeUpkeep reads the output of AppendUpkeep into a row of the same schema, and returns the bytes
// after this output. It returns false if the bytes are damaged.
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
