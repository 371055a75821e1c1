package workers

import (
	"slices"
	"testing"
)

// TestEachTaskIsDoneOnce, by no more workers than there are scratches, each
// with its own.
func TestEachTaskIsDoneOnce(t *testing.T) {
	for _, number := range []int{1, 2, 7} {
		var w Workers[*int]
		for range number {
			w = append(w, new(int))
		}
		for _, n := range []int{0, 1, 3, 100} {
			done, by := make([]int, n), make([]*int, n)
			w.Each(n, n*forkValues, func(s *int, task int) { done[task]++; by[task] = s })
			for task, times := range done {
				if times != 1 || !slices.Contains(w, by[task]) {
					t.Errorf("%d workers, %d tasks: number %d is done %d times", number, n, task, times)
				}
			}
		}
	}
}
