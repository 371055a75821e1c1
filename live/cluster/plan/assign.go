// The function Assign has two uses. It assigns the connected parts of a system to partitions, and
// it assigns the partitions to workers. The result of Assign depends only on names and weights. So
// every node of a cluster would compute the same division. The first node writes it into the plan.
//
// An engine compares a component with its peers. If a component is slow, the cause may be its server
// or its array. So one engine must judge all components that share a peer group, a server, an array
// or a LUN. These components form a connected part (parts.go). Components of different parts share
// only attributes, such as a model. Package commoncause adds up the counts of attributes.

package plan

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// Item is a connected part (servers that one engine must judge together) or a partition. Assign
// assigns each item to one of several bins: a connected part to a partition, and a partition to a
// worker.
type Item struct {
	Name   string
	Weight int
}

// spare is the fraction by which a bin may exceed its fair share of the weight. With a larger
// value, fewer items move when a bin is added or removed. With a smaller value, the work is divided
// more evenly. With one eighth, nearly all items stay in their bins.
const spare = 1.0 / 8

// Assign assigns each item to a bin. For each item, it orders the bins by a hash of the name of the
// item and the name of the bin. In this order, the item goes to the first bin that has enough free
// weight (rendezvous hashing). The result does not depend on the order of the arguments. When a bin
// is added or removed, few items of the other bins move.
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
		if best == "" { // no bin has enough free weight: the bin with the least load gets the item
			best = slices.MinFunc(bins, func(a, b string) int { return cmp.Or(load[a]-load[b], cmp.Compare(a, b)) })
		}
		given[it.Name] = best
		load[best] += it.Weight
	}
	return given
}

// ranked returns the bins in the order in which Assign tries them for an item.
func ranked(item string, bins []string) []string {
	liking := map[string]uint64{}
	for _, bin := range bins {
		liking[bin] = mix(item, bin)
	}
	list := slices.Clone(bins)
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(liking[b], liking[a]), cmp.Compare(a, b)) })
	return list
}

// mix returns a hash of two names. It shuffles the bits of an FNV hash, because the FNV hashes of
// short names differ little in their high bits.
func mix(a, b string) uint64 {
	h := fnv.New64a()
	both := binary.LittleEndian.AppendUint32(nil, uint32(len(a)))
	_, _ = h.Write(append(append(both, a...), b...)) // a hash never fails
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
