package evaluate

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var got []int
		var busy, most atomic.Int32
		err := inOrder(t.Context(), workers, 40, func(_ context.Context, i int) (int, error) {
			n := busy.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Duration(i%5) * time.Millisecond)
			busy.Add(-1)
			return i * i, nil
		}, func(i, square int) error {
			if square != i*i {
				t.Errorf("job %d gave %d", i, square)
			}
			got = append(got, i)
			return nil
		})
		if err != nil || len(got) != 40 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %v, error %v", workers, got, err)
		}
		if int(most.Load()) > workers {
			t.Errorf("%d workers were busy, want %d", most.Load(), workers)
		}
	}
}

func TestInOrderStops(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	tests := []struct {
		name string
		do   func(context.Context, int) (int, error)
		use  func(int, int) error
		want error
	}{
		{"a job fails", func(_ context.Context, i int) (int, error) {
			if i == 3 {
				return 0, broken
			}
			return i, nil
		}, func(int, int) error { return nil }, broken},
		{"a use fails", func(_ context.Context, i int) (int, error) { return i, nil }, func(i, _ int) error {
			if i == 3 {
				return broken
			}
			return nil
		}, broken},
		{"interrupted", func(_ context.Context, i int) (int, error) { return i, nil }, func(i, _ int) error {
			if i == 3 {
				cancel()
			}
			return nil
		}, errInterrupted},
	}
	for _, tt := range tests {
		used := 0
		err := inOrder(ctx, 2, 1000, tt.do, func(i, v int) error { used++; return tt.use(i, v) })
		if !errors.Is(err, tt.want) || used > 20 {
			t.Errorf("%s: error %v after %d uses, want %v soon after 3", tt.name, err, used, tt.want)
		}
	}
}
