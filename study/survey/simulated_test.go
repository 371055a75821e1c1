package survey

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

// A source is a simulated fleet as the study takes it.
type source struct {
	fleet  *study.Fleet
	events []study.Event
	reduce *study.Reduction
	truth  *fleet.Summary
}

// simulated draws a fleet and reduces it hour by hour.
func simulated(t testing.TB, o fleet.Options) *source {
	t.Helper()
	sim, err := fleet.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{fleet: &study.Fleet{}}
	groups := s.inventory(sim.Drives())
	r, err := study.NewReducer(s.fleet, study.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	var b study.Batch
	for h := range sim.Hours() {
		s.hour(&b, h, groups)
		if err := r.Add(&b); err != nil {
			t.Fatal(err)
		}
	}
	if s.reduce, err = r.Reduction(); err != nil {
		t.Fatal(err)
	}
	s.truth = sim.Summary()
	return s
}

// inventory takes over drives, and returns their groups.
func (s *source) inventory(drives []fleet.Drive) []int32 {
	var groups []int32
	f := s.fleet
	for _, d := range drives {
		if n := len(f.Groups); n == 0 || f.Groups[n-1] != d.Group {
			f.Groups = append(f.Groups, d.Group)
		}
		groups = append(groups, int32(len(f.Groups)-1))
		one := study.Drive{
			Name: d.Name, Kind: study.Disk, Model: d.Model, Vendor: d.Vendor,
			Flash: d.Flash, Interface: d.Interface, Deployed: d.Deployed,
		}
		if d.Kind == fleet.SSD {
			one.Kind = study.SSD
		}
		if d.Role == fleet.Parity {
			one.Role = study.Parity
		}
		f.Drives = append(f.Drives, one)
	}
	return groups
}

func (s *source) hour(b *study.Batch, h *fleet.Hour, groups []int32) {
	b.Reset()
	for i, ios := range h.IOs {
		if ios == fleet.Absent {
			continue
		}
		b.Hour = append(b.Hour, int32(h.Time.Unix()/3600))
		b.Group = append(b.Group, groups[i])
		b.Drive = append(b.Drive, int32(i))
		b.IOs = append(b.IOs, float32(ios))
		b.Latency = append(b.Latency, known(h.LatencyUs[i]))
		b.Size = append(b.Size, known(h.SizeBytes[i]))
	}
	for _, e := range h.Events {
		s.events = append(s.events, study.Event{Time: e.Time, Drive: int32(e.Drive), What: study.What(e.What)})
	}
}

// known is NaN for the 0 that stands for nothing to measure.
func known(v int32) float32 {
	if v == 0 {
		return float32(math.NaN())
	}
	return float32(v)
}

func (s *source) findings(t testing.TB) *study.Findings {
	t.Helper()
	f, err := Find(s.reduce, s.fleet, s.events, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return f
}
