package distance

import (
	"bytes"
	"math/bits"
)

// kinds divides the rows of a domain into kinds. A row is the cumulative histogram of one member. A
// kind is a set of equal rows, and each kind is compared only once. Nearly all rows of standby
// paths are equal, because these paths have no work.
type kinds struct {
	first   []int    // by kind: its first row
	sizes   []int    // by kind: number of its rows
	kindOf  []int    // by member of the domain: its kind
	repeats []int    // one entry for each row that is equal to an earlier row: the kind of the row
	slots   []uint32 // hash table: number of a kind, counted from 1; 0 if the slot is free
}

// sort divides the rows of a domain into kinds. Each row is `stride` bytes long. The parameter
// `areas` has the area below each row: rows with different areas are never equal. The parameter
// `isZero` marks the members whose values are all zero. The rows of these members are equal.
func (k *kinds) sort(domain []int, rows []byte, stride int, areas []uint32, isZero []bool) {
	k.first, k.sizes, k.kindOf, k.repeats = k.first[:0], k.sizes[:0], k.kindOf[:0], k.repeats[:0]
	width := bits.Len(uint(2 * len(domain)))
	k.slots = grow(k.slots, 1<<width)
	row := func(i int) []byte { return rows[i*stride:][:stride] }
	resting := -1
	for _, i := range domain {
		if isZero[i] && resting >= 0 {
			k.put(i, resting)
			continue
		}
		at := int(areas[i] * golden >> (32 - width))
		for ; k.slots[at] != 0; at = (at + 1) % len(k.slots) {
			if like := k.first[k.slots[at]-1]; areas[like] == areas[i] && bytes.Equal(row(like), row(i)) {
				break
			}
		}
		k.put(i, at)
		if isZero[i] {
			resting = at
		}
	}
}

// golden is 2³² divided by the golden ratio. Multiplication by golden puts neighbouring
// numbers far apart, so that they get different slots of the hash table.
const golden = 0x9e3779b1

// put adds a row to the kind in a slot of the hash table. If the slot is free, put makes a new
// kind.
func (k *kinds) put(row, slot int) {
	if k.slots[slot] == 0 {
		k.first, k.sizes = append(k.first, row), append(k.sizes, 0)
		k.slots[slot] = uint32(len(k.first))
	}
	kind := int(k.slots[slot]) - 1
	if k.sizes[kind]++; k.sizes[kind] > 1 {
		k.repeats = append(k.repeats, kind)
	}
	k.kindOf = append(k.kindOf, kind)
}
