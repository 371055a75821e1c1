package state

import (
	"cmp"
	"maps"
	"slices"
)

// List writes or reads a slice of any length.
func List[T any](c *Codec, s *[]T, each func(*Codec, *T)) {
	if c.outlines() {
		*s = make([]T, 1)
		c.within("list", func() { each(c, &(*s)[0]) })
		return
	}
	n := c.count(len(*s))
	if c.Saving() {
		for i := range *s {
			each(c, &(*s)[i])
		}
		return
	}
	*s = nil
	for range n {
		if c.Failed() {
			return
		}
		var v T
		each(c, &v)
		*s = append(*s, v)
	}
}

// count writes or reads the number of elements that follow.
func (c *Codec) count(n int) int {
	if Int(c, &n); n < 0 {
		c.Failf("the saved state is damaged: it has a list of %d elements, which is impossible", n)
	}
	return n
}

// Map writes or reads a map. It writes the entries in the order of the keys.
func Map[K cmp.Ordered, V any](c *Codec, m *map[K]V, key func(*Codec, *K), value func(*Codec, *V)) {
	if c.outlines() {
		var k K
		var v V
		c.within("list", func() { key(c, &k); value(c, &v) })
		*m = map[K]V{k: v}
		return
	}
	n := c.count(len(*m))
	if c.Saving() {
		for _, k := range slices.Sorted(maps.Keys(*m)) {
			v := (*m)[k]
			key(c, &k)
			value(c, &v)
		}
		return
	}
	*m = map[K]V{}
	for range n {
		if c.Failed() {
			return
		}
		var k K
		var v V
		key(c, &k)
		value(c, &v)
		(*m)[k] = v
	}
}

// Ints writes or reads a slice of whole numbers of any length.
func Ints[T ~int | ~int32 | ~int64](c *Codec, s *[]T) { List(c, s, Int[T]) }

// Texts writes or reads a slice of strings of any length.
func Texts[T ~string](c *Codec, s *[]T) { List(c, s, Text[T]) }
