package workers

import (
	"context"
	"sync/atomic"
	"testing"
)

// TestEach: every item is done once, and none is begun after the end.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		items, done := make([]int, n), make([]atomic.Int32, n)
		for i := range items {
			items[i] = i
		}
		Each(t.Context(), items, func(i int) { done[i].Add(1) })
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("item %d of %d was done %d times", i, n, done[i].Load())
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var begun atomic.Int32
	Each(ctx, make([]int, 100_000), func(int) {
		if begun.Add(1) == 10 {
			stop()
		}
	})
	if begun.Load() == 100_000 {
		t.Error("all items were begun after the end")
	}
}
