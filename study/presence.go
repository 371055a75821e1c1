package study

import "math/bits"

// Presence is a set of hours: one bit each, from the first on.
type Presence struct {
	First int32 // a multiple of 64
	Bits  []uint64
}

const wordHours = 64

// add adds an hour, none of which is before the first word.
func (p *Presence) add(hour int32) {
	if len(p.Bits) == 0 {
		p.First = hour &^ (wordHours - 1)
	}
	word := int(hour-p.First) / wordHours
	for word >= len(p.Bits) {
		p.Bits = append(p.Bits, 0)
	}
	p.Bits[word] |= 1 << (uint(hour) % wordHours)
}

// Has reports whether an hour is in the set.
func (p *Presence) Has(hour int32) bool {
	word := int(hour-p.First) >> 6
	return word >= 0 && word < len(p.Bits) && p.Bits[word]>>(uint(hour)%wordHours)&1 == 1
}

// Count is how many hours from the first one on are in the set, and before the
// last.
func (p *Presence) Count(from, to int32) int64 {
	end := p.First + int32(len(p.Bits))*wordHours
	from, to = max(from, p.First), min(to, end)
	if from >= to {
		return 0
	}
	first, last := int(from-p.First)/wordHours, int(to-1-p.First)/wordHours
	n := 0
	for w := first; w <= last; w++ {
		word := p.Bits[w]
		if w == first {
			word &= ^uint64(0) << (uint(from) % wordHours)
		}
		if w == last {
			word &= ^uint64(0) >> (wordHours - 1 - uint(to-1)%wordHours)
		}
		n += bits.OnesCount64(word)
	}
	return int64(n)
}

// merge adds the hours of another set.
func (p *Presence) merge(other *Presence) {
	if len(other.Bits) == 0 {
		return
	}
	if len(p.Bits) == 0 || other.First < p.First {
		p.extend(other.First)
	}
	shift := int(other.First-p.First) / wordHours
	for len(p.Bits) < shift+len(other.Bits) {
		p.Bits = append(p.Bits, 0)
	}
	for i, word := range other.Bits {
		p.Bits[shift+i] |= word
	}
}

// extend makes room from an earlier first hour on.
func (p *Presence) extend(first int32) {
	if len(p.Bits) > 0 {
		room := make([]uint64, int(p.First-first)/wordHours, int(p.First-first)/wordHours+len(p.Bits))
		p.Bits = append(room, p.Bits...)
	}
	p.First = first
}
