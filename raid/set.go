package raid

import (
	"fmt"
	"math/bits"
)

// A set is a set of members of an array, one bit each.
type set uint64

func firstMembers(n int) set       { return 1<<n - 1 }
func (s set) has(member int) bool  { return member >= 0 && member < 64 && s>>member&1 == 1 }
func (s set) with(member int) set  { return s | 1<<member }
func (s set) minus(member int) set { return s &^ (1 << member) }
func (s set) count() int           { return bits.OnesCount64(uint64(s)) }
func (s set) String() string       { return fmt.Sprint(s.members()) }

// members returns the members of the set, in order.
func (s set) members() []int {
	list := make([]int, 0, s.count())
	for ; s != 0; s &= s - 1 {
		list = append(list, bits.TrailingZeros64(uint64(s)))
	}
	return list
}
