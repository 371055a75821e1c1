package survey

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// slowGroups is a reduction of groups of three disks, the first of which have a
// slow hour each; the last drive of each is of unknown kind.
func slowGroups(groups, slow int) (*study.Reduction, *study.Fleet) {
	r, f := &study.Reduction{Options: study.DefaultOptions(), Spreads: []*study.Spread{{Kind: study.Disk}}}, &study.Fleet{}
	for g := range int32(groups) {
		r.Cells = append(r.Cells, study.Cell{Kind: study.Disk, Group: g})
		for d := range int32(3) {
			r.Seats = append(r.Seats, study.Seat{Cell: g, Drive: 3*g + d, Hours: 1})
			f.Drives = append(f.Drives, study.Drive{Kind: []study.Kind{study.Disk, study.Disk, study.Unknown}[d]})
		}
		if int(g) < slow {
			r.Slow = append(r.Slow, study.SlowHour{Cell: g, Drive: 3 * g, S: 2})
		} else {
			r.Slow = append(r.Slow, study.SlowHour{Cell: g, Drive: 3 * g, S: 1.9})
		}
	}
	return r, f
}

func TestWarnings(t *testing.T) {
	r, f := slowGroups(60, 39)
	got := warnings(r, f)
	want := []string{
		"60 drives are of unknown kind: limpet uses the kind of the other drives of the group",
		"39 of 60 groups of disks have slow hours (2× or more): these are too few for reliable confidence intervals",
	}
	if len(got) != len(want) || !strings.HasPrefix(got[0], want[0]) || !strings.HasPrefix(got[1], want[1]) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	r, f = slowGroups(60, 40)
	if got := warnings(r, f); len(got) != 1 {
		t.Errorf("warnings %q, want one of unknown kinds", got)
	}
}

// TestStrayHours warns of groups whose hours are studied in two parts.
func TestStrayHours(t *testing.T) {
	r, f := slowGroups(60, 40)
	r.Cells = append(r.Cells, study.Cell{Group: 3, Hours: 5}, study.Cell{Group: 4, Hours: 2}, study.Cell{Group: 60, Hours: 7}, study.Cell{Direction: study.Reads, Group: 3, Hours: 5})
	got := warnings(r, f)
	if want := "7 hours of 2 groups are studied separately, because the kind of all busy drives is unknown"; len(got) != 2 || !strings.HasPrefix(got[1], want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// TestCrowded tells slow hours that are too many for the word.
func TestCrowded(t *testing.T) {
	for _, test := range []struct {
		slow, counted int64
		want          bool
	}{{900_000, 1_000_000, false}, {6_000_000, 857_000_000, false}, {3_000_000, 8_000_000, true}} {
		if got := crowded(test.slow, test.counted); got != test.want {
			t.Errorf("%d of %d: %v", test.slow, test.counted, got)
		}
	}
}

// TestStrangeEvents has words that no one knows, and known ones.
func TestStrangeEvents(t *testing.T) {
	f := &study.Fleet{Drives: make([]study.Drive, 1)}
	var events []study.Event
	for _, w := range []study.What{"unplugged", "Drive Unplugged", "scsi timeout", "scsi timeout", "not spinning"} {
		events = append(events, study.Event{What: w})
	}
	known, warned := ofFleet(events, f)
	if len(known) != len(events) || len(warned) != 1 || !strings.HasPrefix(warned[0], `events "Drive Unplugged" (1 time), "scsi timeout" (2 times) are unknown, and limpet counts them as error events`) {
		t.Errorf("%d events, warnings %q", len(known), warned)
	}
	for c := range 'z' - 'a' {
		events = append(events, study.Event{What: study.What('a' + c)})
	}
	if _, warned := ofFleet(events, f); !strings.Contains(warned[0], "and 19 more are") {
		t.Errorf("warnings %q do not say how many there are", warned)
	}
	if _, warned := ofFleet(events[:1], f); warned != nil {
		t.Errorf("warnings %q of a known event", warned)
	}
}
