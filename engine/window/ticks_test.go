package window

import "testing"

// TestTicks: ticks end at multiples of their length, consist of whole steps, and begin
// with the first data.
func TestTicks(t *testing.T) {
	for _, tt := range []struct{ seconds, step, want int64 }{{60, 15, 60}, {60, 25, 75}, {10, 15, 15}, {60, 600, 600}} {
		if got := NewTicks(tt.seconds, tt.step).Seconds; got != tt.want {
			t.Errorf("ticks of %d s with steps of %d s take %d s, want %d", tt.seconds, tt.step, got, tt.want)
		}
	}
	ticks := NewTicks(60, 15)
	for _, row := range []struct {
		end   int64
		heard bool
		want  int64
	}{
		{600, false, 0},
		{615, true, 60},
		{630, true, 0},
		{645, true, 0},
		{660, false, 45},
		{675, true, 0},
		{705, true, 0},
		{735, true, 75}, // the row that ends at 720 is missing
	} {
		if got := ticks.Advance(row.end, row.heard); got != row.want {
			t.Errorf("at %d: a tick of %d s, want %d", row.end, got, row.want)
		}
	}
}
