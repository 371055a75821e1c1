// This file says which components can be judged apart from each other, and who
// judges which.
//
// A component is compared with its peers, and what is odd is blamed on what components
// hang on: an array, a server. So whatever shares a peer group, a server, an array or a
// LUN belongs together: it is a connected part of the topology. Parts share nothing but
// attributes, which package scale/common merges.
//
// The package is pure, and its answers depend on names alone: every node of a cluster
// divides a system alike, without asking another.

package plan

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// Item is something to be given to one of several bins.
type Item struct {
	Name   string
	Weight int
}

// spare is how much more than its fair share a bin may get. With an eighth nearly all
// items stay where they were when a bin comes or goes, and no bin has much more to do
// than others.
const spare = 1.0 / 8

// Assign gives each item to one of the bins: to the one that likes it best (rendezvous
// hashing) of those that still have room. The same names get the same answer whatever
// their order; when a bin comes or goes, few items move but its own.
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
		if best == "" { // no bin has room for it: the emptiest takes it
			best = slices.MinFunc(bins, func(a, b string) int { return cmp.Or(load[a]-load[b], cmp.Compare(a, b)) })
		}
		given[it.Name] = best
		load[best] += it.Weight
	}
	return given
}

// ranked are the bins, the one that likes an item best first.
func ranked(item string, bins []string) []string {
	liking := map[string]uint64{}
	for _, bin := range bins {
		liking[bin] = mix(item, bin)
	}
	list := slices.Clone(bins)
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(liking[b], liking[a]), cmp.Compare(a, b)) })
	return list
}

// mix is a hash of two names. FNV alone leaves the high bits of short names alike.
func mix(a, b string) uint64 {
	h := fnv.New64a()
	both := binary.LittleEndian.AppendUint32(nil, uint32(len(a)))
	_, _ = h.Write(append(append(both, a...), b...)) // it never fails
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
