// This file divides work: it assigns the parts of a system to partitions, and partitions to
// workers. Different engines can judge different parts (parts.go finds the parts).
//
// A component is compared with its peers, and its slowness may be blamed on the server or array
// that it hangs on. So all components that share a peer group, a server, an array or a LUN must
// be judged together: they are a connected part of the topology. Different parts share only
// attributes such as a model; package commoncause adds up the counts of attributes.
//
// The results depend on names alone: every node of a cluster divides a system in the same way,
// without a request to another node.

package plan

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// Item is a part or a partition. Assign assigns it to one of several bins.
type Item struct {
	Name   string
	Weight int
}

// spare is how much more than its fair share a bin may get. With a spare of an eighth, nearly all
// items stay in their bins when a bin is added or removed, and no bin has much more work than the
// others.
const spare = 1.0 / 8

// Assign assigns each item to a bin. The name of the item gives an order of all bins, and the
// item goes to the first bin with room in that order (rendezvous hashing). The result does not
// depend on the order of items and bins. When a bin is added or removed, few items of other bins
// move.
func Assign(items []Item, bins []string) map[string]string {
	given := make(map[string]string, len(items))
	if len(bins) == 0 {
		return given
	}
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item) int { return cmp.Or(b.Weight-a.Weight, cmp.Compare(a.Name, b.Name)) })
	total, largest := 0, 0
	for _, it := range items {
		total += it.Weight
		largest = max(largest, it.Weight)
	}
	room := int(float64(total)/float64(len(bins))*(1+spare)) + 1
	load := map[string]int{}
	for _, it := range items {
		best := ""
		for _, bin := range ranked(it.Name, bins) {
			if load[bin]+it.Weight <= max(room, largest) {
				best = bin
				break
			}
		}
		if best == "" { // no bin has room: the emptiest bin gets the item
			best = slices.MinFunc(bins, func(a, b string) int { return cmp.Or(load[a]-load[b], cmp.Compare(a, b)) })
		}
		given[it.Name] = best
		load[best] += it.Weight
	}
	return given
}

// ranked returns the bins in the order in which an item tries them.
func ranked(item string, bins []string) []string {
	liking := map[string]uint64{}
	for _, bin := range bins {
		liking[bin] = mix(item, bin)
	}
	list := slices.Clone(bins)
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(liking[b], liking[a]), cmp.Compare(a, b)) })
	return list
}

// mix returns a hash of two names. FNV alone leaves the high bits of short names alike.
func mix(a, b string) uint64 {
	h := fnv.New64a()
	both := binary.LittleEndian.AppendUint32(nil, uint32(len(a)))
	_, _ = h.Write(append(append(both, a...), b...)) // a hash never fails
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
