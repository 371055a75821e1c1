package distance

import (
	"bytes"
	"math/bits"
)

// kinds divides the rows of a domain into sets of equal rows, so that each kind is
// compared only once. Nearly all rows of standby paths are equal: these paths have no
// work.
type kinds struct {
	first []int    // by kind: its first row
	many  []int    // by kind: number of its rows
	of    []int    // by member of the domain: its kind
	again []int    // the kind of every row except the first row of each kind
	slots []uint32 // hash table: a kind, counted from 1; 0 for a free slot
}

// sort takes the rows of a domain, each stride bytes long, and their areas. Rows with
// different areas are not equal; rows of members at zero are all equal.
func (k *kinds) sort(domain []int, rows []byte, stride int, areas []uint32, rests []bool) {
	k.first, k.many, k.of, k.again = k.first[:0], k.many[:0], k.of[:0], k.again[:0]
	width := bits.Len(uint(2 * len(domain)))
	k.slots = grow(k.slots, 1<<width)
	row := func(i int) []byte { return rows[i*stride:][:stride] }
	resting := -1
	for _, i := range domain {
		if rests[i] && resting >= 0 {
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
		if rests[i] {
			resting = at
		}
	}
}

// golden is 2³² divided by the golden ratio. A multiplication by it spreads numbers over
// the upper bits of a word, so that neighbouring numbers are far apart.
const golden = 0x9e3779b1

// put counts a row of the kind in a slot. A free slot gets a new kind.
func (k *kinds) put(row, slot int) {
	if k.slots[slot] == 0 {
		k.first, k.many = append(k.first, row), append(k.many, 0)
		k.slots[slot] = uint32(len(k.first))
	}
	kind := int(k.slots[slot]) - 1
	if k.many[kind]++; k.many[kind] > 1 {
		k.again = append(k.again, kind)
	}
	k.of = append(k.of, kind)
}
