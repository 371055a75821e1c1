package sentence

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// TestLocated: where nothing is known of a part's place, that is said.
func TestLocated(t *testing.T) {
	for want, c := range map[string]topology.Component{
		"The component is d3; the topology file does not name its place.": {Name: "d3"},
		"The component is d3: server fs1, slot 7.":                        {Name: "d3", Server: "fs1", Slot: "7"},
	} {
		if got := located(&c, false); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestWaiting: the study of a fleet counts for more than T16, and what has lasted long
// is not waited for.
func TestWaiting(t *testing.T) {
	own := &advice.Prognosis{Source: "the study of your own drives, s.json", Drives: "disks", OverHour: 0.5, OverEight: 0.8, OverDay: 0.9, AgainDay: 0.7, BackSlow: -1, SavedHours: 12}
	want := "The drive may recover by itself: 90 % of the slow periods of disks lasted less than a day. 70 % of the slow hours came within a day after another slow hour. The replacement of a drive after its tenth slow hour avoided 12 slow hours. (Source: the study of your own drives, s.json.)"
	if got := waiting(own, 3600); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := waiting(advice.Published(true), 9*3600); !strings.HasPrefix(got, "Do not expect that the drive recovers by itself: the drive has been slow for more than 8 hours, and 97 % of the slow periods of SSDs lasted less than 8 hours.") {
		t.Error(got)
	}
}
