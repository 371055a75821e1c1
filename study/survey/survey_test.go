package survey

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

func options(groups, days int, seed uint64) fleet.Options {
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Seed = groups, groups, days, seed
	return o
}

// TestTruth holds what is found in the records of a fleet against what the
// fleet counted while it was drawn.
func TestTruth(t *testing.T) {
	s := simulated(t, options(60, 40, 3))
	f := s.findings(t)
	for i, truth := range []*fleet.Counts{&s.truth.Disk.Counts, &s.truth.SSD.Counts} {
		p := f.Parts[i]
		if p.Groups != truth.Groups || p.Drives != truth.DataDrives || p.GroupHours != truth.GroupHours || p.DriveHours != truth.DriveHours {
			t.Errorf("%+v: the fleet has %+v", p, truth)
		}
		for name, want := range truths(truth) {
			if got := figure(t, p, name); got.Part != want[0] || got.Whole != want[1] {
				t.Errorf("%s, %s: %d of %d, the fleet has %d of %d", p.Kind, name, got.Part, got.Whole, want[0], want[1])
			}
		}
	}
	a := f.Accounts[0]
	disk, ssd := &s.truth.Disk.Counts, &s.truth.SSD.Counts
	if a.Rows != disk.Records+ssd.Records || a.Idle+a.Parity < disk.Idle+ssd.Idle {
		t.Errorf("account %+v: the fleet has %d and %d records", a, disk.Records, ssd.Records)
	}
}

func truths(c *fleet.Counts) map[string][2]int64 {
	return map[string][2]int64{
		"slow-hours-1.5": {c.Slow15, c.DriveHours},
		"slow-hours-2":   {c.Slow2, c.DriveHours},
		"tail-hours-1.5": {c.Tail15, c.GroupHours},
		"tail-hours-2":   {c.Tail1, c.GroupHours},
		"second-tail-2":  {c.Tail2, c.GroupHours},
		"third-tail-2":   {c.Tail3, c.GroupHours},
		"exact-ratios":   {c.Exact, c.DriveHours},
		"persist-2":      {c.RunsPast1, c.Runs},
		"persist-8h-2":   {c.Runs8, c.Runs},
		"again-2":        {c.RepeatsDay, c.Repeats},
		"ever-2":         {c.EverSlow, c.DataDrives},
		"ever-16":        {c.Ever16, c.DataDrives},
		"seldom-2":       {c.Under5, c.EverSlow},
		"often-2":        {c.Over100, c.EverSlow},
		"replugged":      {c.Replugged, c.Unplugged},
	}
}

// A hit counts intervals that have the true value, and others.
type hit struct{ in, out int }

// TestCoverage draws fleets by several seeds, and counts how often the
// intervals of shares have the share of all fleets together. A fleet has few
// groups with most of its slow hours, so that somewhat less than 95 % of the
// intervals of so small ones do: 93 to 95 % by other seeds, and 91 % where the
// truth is that of another, large fleet.
func TestCoverage(t *testing.T) {
	const fleets, groups = 10, 100
	type share struct{ part, whole int64 }
	truth, found := map[string]share{}, map[string][]study.Figure{}
	for seed := range uint64(fleets) {
		for _, p := range simulated(t, options(groups, 25, 1+seed)).findings(t).Parts {
			for _, f := range p.Figures {
				name := p.Kind + " " + f.Name
				truth[name] = share{truth[name].part + f.Part, truth[name].whole + f.Whole}
				found[name] = append(found[name], f)
			}
		}
	}
	var all hit
	for name, figures := range found {
		var one hit
		for _, f := range figures {
			if want := float64(truth[name].part) / float64(truth[name].whole); f.Interval != nil && truth[name].whole > 0 {
				one.add(f.Interval.Low <= want && want <= f.Interval.High)
			}
		}
		if one.in+one.out > fleets/2 && one.out > one.in/2 {
			t.Errorf("%s: %d of %d intervals have the true share", name, one.in, one.in+one.out)
		}
		all.in, all.out = all.in+one.in, all.out+one.out
	}
	if share := float64(all.in) / float64(all.in+all.out); share < 0.9 || share > 0.985 {
		t.Errorf("%.1f %% of %d intervals have the true share, want about 95 %%", 100*share, all.in+all.out)
	} else {
		t.Logf("%.1f %% of %d intervals have the true share", 100*share, all.in+all.out)
	}
	for name := range study.T16() {
		if name != "eighth-year-p95" && found["disk "+name] == nil && found["ssd "+name] == nil {
			t.Errorf("T16's figure %s is not among those found", name)
		}
	}
}

func (h *hit) add(in bool) {
	if in {
		h.in++
	} else {
		h.out++
	}
}

// TestSame finds the same of events in another order, and writes it as JSON.
func TestSame(t *testing.T) {
	s := simulated(t, options(20, 20, 4))
	first, err := json.Marshal(s.findings(t))
	if err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(s.events), func(i, j int) { s.events[i], s.events[j] = s.events[j], s.events[i] })
	second, err := json.Marshal(s.findings(t))
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Error("events in another order make other findings")
	}
}
