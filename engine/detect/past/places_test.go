package past

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/window"
)

// TestSlowerThanElsewhere: a place is blamed only if more of its components became slower than chance
// explains, where the share of slower components elsewhere is the chance.
func TestSlowerThanElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name                                 string
		slow, here, slowElsewhere, elsewhere int
		places                               int
		want                                 bool
	}{
		{"an array, and nothing else", 24, 24, 0, 24, 40, true},
		{"one of two servers with two drives", 2, 2, 0, 2, 4, true},
		{"two arrays of four at the same time", 72, 72, 72, 216, 120, true},
		{"most of an array, and few others", 41, 72, 5, 216, 120, true},
		{"an array, and more components elsewhere: a job on all arrays", 72, 72, 100, 1080, 120, false},
		{"three of four, and half of all others", 3, 4, 129, 284, 120, false},
		{"four of four, and a third of all others: one of 120 places", 4, 4, 99, 284, 120, false},
		{"as many as elsewhere", 36, 72, 108, 216, 120, false},
		{"there is nothing elsewhere, and no component has peers", 2, 2, 0, 0, 40, true},
	} {
		array := blame.Place{Tier: blame.Array, Name: "ddn1"}
		d := &Detector{hasPeers: func(int) bool { return false }, facts: &window.Facts{Map: &blame.Map{Places: make([]blame.Place, tt.places)}}}
		d.facts.Places[0] = array
		for i := range tt.here + tt.elsewhere {
			anomalous := i < tt.slow || i >= tt.here && i < tt.here+tt.slowElsewhere
			d.courses = append(d.courses, course{compared: true, anomalous: anomalous})
			var at []int
			if i < tt.here {
				at = []int{0}
			}
			d.facts.PlacesOf = append(d.facts.PlacesOf, at)
			d.facts.Attachments = append(d.facts.Attachments, i)
		}
		if got := d.slowerThanElsewhere(&cause{place: array, members: make([]int, tt.slow), compared: tt.here}); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
