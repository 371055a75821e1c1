package policy

import (
	"fmt"
	"iter"
	"math/bits"
)

// maxMembers is the largest number of members in a set. The widest group of T16 has 28.
const maxMembers = 64

// set is a set of members.
type set uint64

func one(member int) set { return 1 << member }

// upTo returns the set of members 0 to n-1.
func upTo(n int) set { return 1<<n - 1 }

func (s set) has(member int) bool { return s>>member&1 == 1 }
func (s set) len() int            { return bits.OnesCount64(uint64(s)) }
func (s set) within(t set) bool   { return s&^t == 0 }

// first returns the n lowest members of s, or all.
func (s set) first(n int) set {
	rest := s
	for ; n > 0 && rest != 0; n-- {
		rest &= rest - 1
	}
	return s &^ rest
}

// members yields the members in order.
func (s set) members() iter.Seq[int] {
	return func(yield func(int) bool) {
		for rest := s; rest != 0; rest &= rest - 1 {
			if !yield(bits.TrailingZeros64(uint64(rest))) {
				return
			}
		}
	}
}

// append appends the members in order.
func (s set) append(list []int) []int {
	for m := range s.members() {
		list = append(list, m)
	}
	return list
}

// setOf returns the set of the members in list. It panics if a member is not in 0 … n-1, because
// the read would end without its data.
func setOf(list []int, n int) set {
	var s set
	for _, m := range list {
		if m < 0 || m >= n {
			panic(fmt.Sprintf("policy: member %d of %d", m, n))
		}
		s |= one(m)
	}
	return s
}
