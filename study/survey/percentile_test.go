package survey

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/study"
)

// drawn are requests of about so many ms, a share of which is delayed by 50 ms.
func drawn(rng *rand.Rand, n int, ms, share float64) (h blklat.Histogram) {
	for range n {
		took := ms * math.Exp(0.4*rng.NormFloat64())
		if rng.Float64() < share {
			took += 50
		}
		h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(took * 1e6))), Requests: 1}})
	}
	return h
}

// percentileFleet is twelve groups of four drives in eight hours. The first drive of each of
// the first ten groups delays one request in a hundred and fifty from the fourth
// hour to the sixth; the second drive of the last two is slow as a whole for an hour.
func percentileFleet(t *testing.T, requests int) *study.Part {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	o := study.DefaultOptions()
	f, h := &study.Fleet{}, New(o)
	var healthy []blklat.Histogram
	for range 7 {
		healthy = append(healthy, drawn(rng, requests, 2, 0))
	}
	for g := range int32(12) {
		f.Groups = append(f.Groups, fmt.Sprint("host", g))
		for range 4 {
			f.Drives = append(f.Drives, study.Drive{})
		}
		for hour := range int32(8) {
			var drives []Drive
			for d := range int32(4) {
				h := healthy[int(g+d+hour)%len(healthy)]
				if d == 0 && g < 10 && hour >= 3 && hour <= 5 {
					h = drawn(rng, requests, 2, 1.0/150)
				}
				if d == 1 && g >= 10 && hour == 2 {
					h = drawn(rng, requests, 5, 0)
				}
				drives = append(drives, Drive{Drive: 4*g + d, Requests: h})
			}
			h.Take(hour, g, drives)
		}
	}
	for d, courses := range h.groups[0].drives {
		if alone := courses[1].alone; (alone == 3) != (d == 0 && requests > 1000) {
			t.Errorf("drive %d of the first group is in the tail alone for %d hours", d, alone)
		}
	}
	part := &study.Part{}
	h.Report(part, f, study.Disk, o, study.NewSums(1, 100))
	return part
}

func figures(part *study.Part) map[string]study.Figure {
	all := map[string]study.Figure{}
	for _, f := range part.Figures {
		all[f.Name] = f
	}
	return all
}

// TestWhatMeansHide: hours, drives and runs in the tail alone are those that were
// made, and the rest of the slow hours is the mean's.
func TestWhatMeansHide(t *testing.T) {
	part := percentileFleet(t, 12_000)
	got := figures(part)
	for name, want := range map[string][2]int64{
		"percentile-alone-2":   {30, 12 * 4 * 8},
		"percentile-missed-2":  {30, 32},
		"percentile-limp-2":    {10, 48},
		"percentile-unseen-2":  {10, 48},
		"percentile-persist-2": {10, 10},
	} {
		if f := got[name]; f.Part != want[0] || f.Whole != want[1] {
			t.Errorf("%s is %d of %d, want %d of %d", name, f.Part, f.Whole, want[0], want[1])
		}
	}
	if s := got["percentile-missed-2"].Sentence; !strings.Contains(s, "94 %") || !strings.Contains(s, "are not slow by the mean") {
		t.Error(s)
	}
	for _, table := range part.Tables {
		if table.Name == "percentile-runs-2" && (table.Rows[1].Values[0].Number != 1 || table.Rows[2].Values[0].Number != 0) {
			t.Errorf("all runs last for three hours, %v", table.Rows)
		}
		if table.Name == "percentile-hours-2" && table.Rows[0].Values[0].Number*384 != 2 {
			t.Errorf("two hours are slow by the mean, %v", table.Rows)
		}
	}
}

// TestTooFewRequests: percentiles that few requests lie beyond are not known, and
// nothing is said to be in them.
func TestTooFewRequests(t *testing.T) {
	got := figures(percentileFleet(t, 500))
	if f := got["percentile-alone-2"]; f.Part != 0 || f.Whole != 384 {
		t.Errorf("%d of %d hours are in a tail that nobody knows", f.Part, f.Whole)
	}
}

// TestNarrow: two drives have no median that means something, and no requests no
// time.
func TestNarrow(t *testing.T) {
	h := New(study.DefaultOptions())
	rng := rand.New(rand.NewPCG(1, 1))
	one := drawn(rng, 2000, 2, 0)
	h.Take(1, 0, []Drive{{0, one}, {1, one}, {2, nil}})
	part := &study.Part{}
	h.Report(part, &study.Fleet{Groups: []string{"a"}}, study.Unknown, study.DefaultOptions(), study.NewSums(1, 40))
	if len(part.Figures) != 0 {
		t.Errorf("%v", part.Figures)
	}
}
