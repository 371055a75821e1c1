package incident_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Three servers with four drives each: components 0 to 3 belong to h1, and so on.
const servers, drives = 3, 4

func rack(t *testing.T) *blame.Map {
	t.Helper()
	s, _, err := topology.Parse("rack.yaml", []byte("servers: h[1-3]\ndrives:\n  - devices: sd[a-d]\n    peers: all\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Components) != servers*drives || s.Components[5].Name != "h2/sdb" {
		t.Fatalf("%d components, the sixth is %s", len(s.Components), s.Components[5].Name)
	}
	return blame.NewMap(s)
}

// shift is the time from one tick to the next, in seconds.
const shift = 450

// found returns a finding about some components.
func found(class finding.Class, kind finding.Kind, p blame.Place, amount float64, components ...int) finding.Finding {
	f := finding.Finding{Class: class, Kind: kind, Place: p, Amount: amount, Sure: true, Onset: finding.Onset{At: 1, Early: 1, Late: 2}}
	for _, c := range components {
		f.Members = append(f.Members, finding.Member{Component: c, Role: finding.IsSlow, Odd: true, Windows: 3, Ratio: 2, Worst: 3, Effect: finding.Effect{Times: 2, Low: 1.8, High: 2.2}})
	}
	return f
}

func server(name string) blame.Place { return blame.Place{Tier: blame.Server, Name: name} }
func drive(name string) blame.Place  { return blame.Place{Tier: blame.Drive, Name: name} }

func slow(name string, c int, amount float64) finding.Finding {
	return found(finding.Slow, finding.SlowDrive, drive(name), amount, c)
}

// busy returns a finding about a busy disk of a server.
func busy(name string, components ...int) finding.Finding {
	f := found(finding.Resource, finding.DiskBusy, server(name), 0, components...)
	f.Certain = true
	return f
}

func lost(p blame.Place, onset int64, components ...int) finding.Finding {
	f := found(finding.Path, finding.LostAttachment, p, 9, components...)
	f.Onset = finding.Onset{At: onset, Early: onset, Late: onset}
	return f
}

// scene is a tracker with the events that it has sent.
type scene struct {
	*incident.Tracker
	t       *testing.T
	now     int64
	events  []string          // "opened slow drive h1/sda"
	told    map[string]string // by ID: kind and place
	forgot  []string          // "slow 0"
	unknown map[int]bool      // components that cannot be judged
}

func bounds() incident.Options {
	return incident.Options{Criteria: criteria.DefaultOptions(), ResourceRecoverSeconds: 96, ResourceClearSeconds: 160}
}

func begin(t *testing.T) *scene {
	t.Helper()
	return beginOn(t, rack(t))
}

func beginOn(t *testing.T, m *blame.Map) *scene {
	t.Helper()
	s := &scene{t: t, told: map[string]string{}, unknown: map[int]bool{}}
	s.Tracker = incident.New(bounds(), m, s.hear, func(class finding.Class, c int) {
		s.forgot = append(s.forgot, fmt.Sprint(class, " ", c))
	})
	return s
}

func (s *scene) hear(v *incident.Event) {
	line := fmt.Sprintf("%s %s %s", v.Change, v.Incident.Kind, v.Incident.Place.Name)
	if v.Incident.Ending != "" {
		line += " " + string(v.Incident.Ending)
	}
	s.events = append(s.events, line)
	if s.told[v.Incident.ID] = fmt.Sprintf("%s %s %s", v.Incident.Kind, v.Incident.Place.Name, v.Incident.Phase); v.Time != s.now {
		s.t.Errorf("%s is told at %d, and it is %d", line, v.Time, s.now)
	}
}

// tick follows one window with some findings.
func (s *scene) tick(list ...finding.Finding) {
	s.now += shift
	s.AddTick(incident.Tick{
		Time: s.now, Seconds: shift, Found: list,
		Classes: []finding.Class{finding.Slow, finding.Tail, finding.Path, finding.Stall, finding.OwnWork, finding.Resource, finding.Imbalance},
		Judged:  func(_ finding.Class, c int) bool { return !s.unknown[c] }, SilenceJudged: func(c int) bool { return !s.unknown[c] },
		Metrics: func([]finding.Member) []string { return nil },
	})
	for _, in := range s.List(incident.Combined) {
		if got, want := s.told[in.ID], fmt.Sprintf("%s %s %s", in.Kind, in.Place.Name, in.Phase); got != want {
			s.t.Errorf("incident %s is %s, and was told as %s", in.ID, want, got)
		}
	}
}

// ticks follows n windows with the same findings.
func (s *scene) ticks(n int, list ...finding.Finding) {
	for range n {
		s.tick(list...)
	}
}

// want fails unless exactly these events came since the last call.
func (s *scene) want(events ...string) {
	s.t.Helper()
	if !slices.Equal(s.events, events) {
		s.t.Errorf("heard\n\t%s\nwant\n\t%s", strings.Join(s.events, "\n\t"), strings.Join(events, "\n\t"))
	}
	s.events = nil
}

// TestConfirm: an incident is confirmed if its finding is certain, or if it is sure, its
// amount is enough, and no harmless cause would look the same.
func TestConfirm(t *testing.T) {
	doubtful, early, late := slow("h1/sda", 0, 9), slow("h1/sda", 0, 9), slow("h1/sda", 0, 9)
	doubtful.Sure, early.Until, late.Until = false, shift+1, shift
	sure := slow("h1/sda", 0, 0)
	sure.Certain = true
	own := found(finding.OwnWork, finding.ServerIssued, server("h1"), 99, 0)
	for name, tt := range map[string]struct {
		f    finding.Finding
		want bool
	}{
		"too little":           {slow("h1/sda", 0, 0.99), false},
		"enough":               {slow("h1/sda", 0, 1), true},
		"not sure":             {doubtful, false},
		"it may be harmless":   {early, false},
		"no longer":            {late, true},
		"certain":              {sure, true},
		"own work, not so far": {own, false},
	} {
		s := begin(t)
		s.tick(tt.f)
		if got := len(s.List(incident.Combined)) == 1; got != tt.want || len(s.events) > 0 != tt.want {
			t.Errorf("%s: an incident: %t, want %t; heard %s", name, got, tt.want, s.events)
		}
	}
}

// TestBack: a problem that comes back within a week is the same incident, and needs half
// of the amount. After a week it is a new incident.
func TestBack(t *testing.T) {
	s := begin(t)
	s.tick(slow("h1/sda", 0, 1.25))
	s.ticks(20)
	s.want("opened slow drive h1/sda", "recovering slow drive h1/sda", "cleared slow drive h1/sda recovered")
	if !slices.Equal(s.forgot, []string{"slow 0"}) {
		t.Errorf("detectors begin anew with %v", s.forgot)
	}
	s.tick(slow("h1/sda", 0, 0.4))
	s.want()
	s.tick(slow("h1/sda", 0, 0.6))
	s.want("reopened slow drive h1/sda")
	back := s.List(incident.Combined)[0]
	if len(back.Spans) != 2 || back.Spans[0].To != shift || back.Spans[1].To != 0 || back.Confirmed != shift || back.Amount != 1.25 {
		t.Errorf("it came back as %+v", back)
	}
	s.ticks(20)
	s.want("recovering slow drive h1/sda", "cleared slow drive h1/sda recovered")
	ended := s.List(incident.Combined)[0].Cleared
	for s.now+shift <= ended+7*86400 {
		s.tick()
	}
	if len(s.List(incident.Combined)) != 1 {
		t.Error("it is forgotten before a week has passed")
	}
	if s.tick(); len(s.List(incident.Combined)) != 0 {
		t.Error("it is not forgotten after a week")
	}
	s.tick(slow("h1/sda", 0, 0.6))
	s.want()
	s.tick(slow("h1/sda", 0, 1.25))
	s.want("opened slow drive h1/sda")
	if again := s.List(incident.Combined)[0]; again.ID != back.ID || len(again.Spans) != 1 {
		t.Errorf("the same problem is %+v, was %s", again, back.ID)
	}
}

// TestUnjudged: an incident whose components cannot be judged neither recovers nor ends.
func TestUnjudged(t *testing.T) {
	s := begin(t)
	s.tick(found(finding.Slow, finding.SharedSlowness, server("h1"), 9, 0, 1, 2, 3))
	s.want("opened shared slowness h1")
	s.unknown[0], s.unknown[1], s.unknown[2] = true, true, true
	s.ticks(50)
	s.want()
	if in := s.List(incident.Combined)[0]; in.Unjudged != shift {
		t.Errorf("it could not be judged since %d, want %d", in.Unjudged, shift)
	}
	delete(s.unknown, 0) // half of it can be judged
	s.ticks(20)
	s.want("recovering shared slowness h1", "cleared shared slowness h1 recovered")
}

// TestServerWithoutData: an incident about a silent server does not recover while the data cannot show
// that the server is back.
func TestServerWithoutData(t *testing.T) {
	s := begin(t)
	silent := lost(server("h1"), 0, 0, 1, 2, 3)
	silent.Kind, silent.Certain = finding.SilentServer, true
	for c := range drives {
		s.unknown[c] = true
	}
	s.tick(silent)
	s.ticks(50)
	s.want("opened silent server h1")
	if in := s.List(incident.Combined)[0]; in.Unjudged != shift {
		t.Errorf("it could not be judged since %d, want %d", in.Unjudged, shift)
	}
	clear(s.unknown) // it sends data
	s.ticks(20)
	s.want("recovering silent server h1", "cleared silent server h1 recovered")
}

// TestParts: an incident that is only a part of a larger one with the same onset is
// merged into it. A component that is known to be slow by itself is not.
func TestParts(t *testing.T) {
	s := begin(t)
	s.tick(lost(drive("h1/sda"), 0, 0), lost(drive("h1/sdb"), 0, 1))
	s.tick(lost(server("h1"), 100, 0, 1, 2, 3))
	s.want("opened lost attachment h1/sda", "opened lost attachment h1/sdb", "cleared lost attachment h1/sdb merged", "changed lost attachment h1")
	if got := s.List(incident.Combined); len(got) != 1 || len(got[0].Members) != 4 {
		t.Errorf("joined: %+v", got)
	}

	s = begin(t)
	s.tick(lost(drive("h1/sda"), 0, 0))
	s.tick(lost(drive("h1/sda"), 0, 0), lost(server("h1"), 3601, 0, 1, 2, 3))
	s.want("opened lost attachment h1/sda", "opened lost attachment h1")

	s = begin(t)
	s.tick(slow("h1/sda", 0, 2))
	s.tick(found(finding.Slow, finding.SharedSlowness, server("h1"), 9, 0, 1, 2, 3))
	s.want("opened slow drive h1/sda", "opened shared slowness h1")

	s = begin(t)
	s.tick(slow("h1/sda", 0, 0.22), slow("h1/sdb", 1, 0.4))
	s.tick(found(finding.Slow, finding.SharedSlowness, server("h1"), 9, 0, 1, 2, 3))
	s.want("opened shared slowness h1")
}

// TestShowsOnAPart: a finding on some components of a known problem is no second problem,
// even if the known one was over for a while. A finding on other components is.
func TestShowsOnAPart(t *testing.T) {
	part := func(amount float64, components ...int) finding.Finding {
		return found(finding.Slow, finding.SharedSlowness, blame.Place{Tier: blame.Enclosure, Name: "e1"}, amount, components...)
	}
	whole := found(finding.Slow, finding.SharedSlowness, server("h1"), 9, 0, 1, 2)
	s := begin(t)
	s.tick(whole)
	s.ticks(3, part(9, 0, 1))
	s.want("opened shared slowness h1", "changed shared slowness h1")
	s.ticks(20)
	s.tick(part(0.6, 1, 2))
	s.want("recovering shared slowness h1", "cleared shared slowness h1 recovered", "reopened shared slowness h1")

	s = begin(t)
	s.tick(whole)
	s.tick(whole, part(9, 2, 3))
	s.want("opened shared slowness h1", "opened shared slowness e1")
}

// TestOldestPartNamesTheWhole: of merged incidents, the first confirmed one gives its ID,
// its onset and its comments.
func TestOldestPartNamesTheWhole(t *testing.T) {
	s := begin(t)
	s.tick(lost(server("h1"), 3000, 1, 2, 3))
	s.ticks(2, lost(server("h1"), 3000, 1, 2, 3), lost(drive("h1/sda"), 10, 0))
	s.Apply(&command.Command{Time: s.now, Verb: command.Comment, Name: "h1/sda", Text: "older"}, nil, s.now)
	s.events = nil
	list := s.List(incident.Combined)
	h1, sda := list[slices.IndexFunc(list, at("h1"))], list[slices.IndexFunc(list, at("h1/sda"))]
	if h1.Confirmed >= sda.Confirmed {
		t.Fatal("h1 was not first")
	}
	s.tick(lost(server("h1"), 3000, 0, 1, 2, 3))
	s.want("cleared lost attachment h1/sda merged", "changed lost attachment h1")
	if got := s.List(incident.Combined); len(got) != 1 || got[0].ID != h1.ID || len(got[0].Comments) != 0 {
		t.Errorf("%+v, want %s", got, h1.ID)
	}

	s = begin(t)
	s.tick(lost(drive("h1/sda"), 10, 0))
	s.ticks(2, lost(drive("h1/sda"), 10, 0), lost(server("h1"), 3000, 1, 2, 3))
	s.Apply(&command.Command{Time: s.now, Verb: command.Comment, Name: "h1/sda", Text: "older"}, nil, s.now)
	s.events = nil
	list = s.List(incident.Combined)
	h1, sda = list[slices.IndexFunc(list, at("h1"))], list[slices.IndexFunc(list, at("h1/sda"))]
	s.tick(lost(server("h1"), 3000, 0, 1, 2, 3))
	got := s.List(incident.Combined)
	if len(got) != 1 || got[0].ID != sda.ID || got[0].Onset.At != 10 || len(got[0].Comments) != 1 || got[0].Place.Name != "h1" {
		t.Errorf("%+v, want %s", got, sda.ID)
	}
	if s.told[h1.ID] != "lost attachment h1/sda cleared" && s.told[h1.ID] != "lost attachment h1 cleared" {
		t.Errorf("%s was last told as %s", h1.ID, s.told[h1.ID])
	}
}

func at(name string) func(incident.Incident) bool {
	return func(in incident.Incident) bool { return in.Place.Name == name }
}

// TestDiskExplainsDrive: a drive that is slow because of its server's disk is reported
// with the disk, whichever was found first. A drive of another server is not.
func TestDiskExplainsDrive(t *testing.T) {
	s := begin(t)
	s.tick(busy("h1", 0))
	s.tick(busy("h1", 0), slow("h1/sda", 0, 2), slow("h2/sda", 4, 2), slow("h1/sdb", 1, 2))
	s.want("opened disk-busy h1", "changed disk-busy h1", "opened slow drive h2/sda", "opened slow drive h1/sdb")
	in := s.List(incident.Combined)
	disk := in[slices.IndexFunc(in, at("h1"))]
	if len(disk.Also) != 1 || disk.Also[0].Kind != finding.SlowDrive || disk.Also[0].Place.Name != "h1/sda" {
		t.Errorf("the disk says %+v", disk.Also)
	}
	s.ticks(3, busy("h1", 0), slow("h1/sda", 0, 2.23), slow("h2/sda", 4, 2), slow("h1/sdb", 1, 2))
	s.want()

	s = begin(t)
	s.tick(slow("h1/sda", 0, 2))
	first := s.List(incident.Combined)[0].ID
	s.tick(slow("h1/sda", 0, 2), busy("h1", 0))
	in = s.List(incident.Combined)
	if len(in) != 1 || in[0].Kind != finding.DiskBusy || in[0].ID != first || len(in[0].Also) != 1 {
		t.Errorf("%+v, want a busy disk under the ID %s", in, first)
	}
	s.want("opened slow drive h1/sda", "changed disk-busy h1")
}

// TestDriveAndTail: an incident continues if its drive is found to be slow in a part of its requests
// instead of as a whole, or the other way round. The tail of another drive is an incident of its
// own.
func TestDriveAndTail(t *testing.T) {
	tail := func(name string, c int) finding.Finding {
		return found(finding.Tail, finding.SlowTail, drive(name), 2, c)
	}
	s := begin(t)
	s.tick(slow("h1/sda", 0, 9))
	s.tick(tail("h1/sda", 0), tail("h1/sdb", 1))
	s.want("opened slow drive h1/sda", "changed slow tail h1/sda", "opened slow tail h1/sdb")
	in := s.List(incident.Combined)
	sda := in[slices.IndexFunc(in, at("h1/sda"))]
	slowFirst := sda.ID
	if len(in) != 2 || len(sda.Also) > 0 || sda.Class != finding.Tail || sda.Worst != 3 {
		t.Errorf("%d incidents: %+v", len(in), sda)
	}

	s = begin(t)
	s.tick(tail("h1/sda", 0))
	first := s.List(incident.Combined)[0].ID
	s.tick(slow("h1/sda", 0, 2))
	if in = s.List(incident.Combined); len(in) != 1 || in[0].Class != finding.Slow || in[0].Kind != finding.SlowDrive || in[0].ID != first || len(in[0].Also) > 0 {
		t.Errorf("%+v, want a slow drive under the ID %s", in, first)
	}
	s.want("opened slow tail h1/sda", "changed slow drive h1/sda")
	if first != slowFirst {
		t.Errorf("ID %s if the tail is found first, %s if the slow drive is", first, slowFirst)
	}

	s = begin(t)
	s.tick(tail("h1/sda", 0))
	s.ticks(24)
	s.events = nil
	s.tick(slow("h1/sda", 0, 2))
	if in = s.List(incident.Combined); len(in) != 1 || in[0].Kind != finding.SlowDrive || in[0].ID != first {
		t.Errorf("%+v, want that a slow tail comes back as a slow drive under the ID %s", in, first)
	}
	s.want("reopened slow drive h1/sda")
}

// TestDriveAfterDisk: a drive that gave its ID to its server's disk has the same ID when
// it is slow again without the disk.
func TestDriveAfterDisk(t *testing.T) {
	s := begin(t)
	s.tick(slow("h1/sda", 0, 2))
	first := s.List(incident.Combined)[0].ID
	s.tick(slow("h1/sda", 0, 2), busy("h1", 0))
	s.ticks(2)
	s.events = nil
	s.tick(slow("h1/sda", 0, 2))
	if in := s.List(incident.Combined); len(in) != 1 || in[0].Kind != finding.SlowDrive || in[0].ID != first || in[0].Worst != 3 {
		t.Errorf("%+v, want the slow drive under the ID %s", in, first)
	}
	s.want("reopened slow drive h1/sda")
}

// TestEndsForAll: when an incident ends, every detector that found it forgets its
// components, unless another open incident affects them.
func TestEndsForAll(t *testing.T) {
	wide := found(finding.Slow, finding.SharedSlowness, server("h1"), 9, 0, 1, 2, 3)
	for _, tt := range []struct {
		name        string
		first, then []finding.Finding
		want        string
	}{
		{"two that share a drive", []finding.Finding{slow("h1/sda", 0, 2), wide}, nil, "slow 0, slow 1, slow 2, slow 3"},
		{"one of them goes on", []finding.Finding{slow("h1/sda", 0, 2), wide}, []finding.Finding{wide}, ""},
		{"a disk and its drive", []finding.Finding{busy("h1", 0), slow("h1/sda", 0, 2)}, nil, "resource 0, slow 0"},
	} {
		s := begin(t)
		s.ticks(2, tt.first...)
		s.ticks(16, tt.then...)
		slices.Sort(s.forgot)
		if got := strings.Join(s.forgot, ", "); got != tt.want {
			t.Errorf("%s: forgot %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestListWhileHearing: a listener that lists incidents during an event finds every
// incident once.
func TestListWhileHearing(t *testing.T) {
	s := begin(t)
	s.Tracker = incident.New(bounds(), rack(t), func(v *incident.Event) {
		var ids []string
		for _, in := range s.List(incident.Combined) {
			ids = append(ids, in.ID)
		}
		if slices.Sort(ids); len(slices.Compact(slices.Clone(ids))) != len(ids) {
			t.Errorf("while %s is %s: %v", v.Incident.Place.Name, v.Change, ids)
		}
		s.hear(v)
	}, func(finding.Class, int) {})
	s.ticks(2, slow("h1/sda", 0, 2), slow("h2/sda", 4, 2), slow("h3/sda", 8, 2))
	s.ticks(16, slow("h3/sda", 8, 2))
}

// TestTwoResources: the disk and the network of a server are two problems.
func TestTwoResources(t *testing.T) {
	hog := found(finding.Resource, finding.NetworkHog, server("h1"), 0, 1)
	hog.Certain = true
	s := begin(t)
	s.tick(busy("h1", 0))
	disk := s.List(incident.Combined)[0]
	s.ticks(3)
	s.tick(hog)
	s.want("opened disk-busy h1", "recovering disk-busy h1", "cleared disk-busy h1 recovered", "opened network-hog h1")
	if list := s.List(incident.Combined); len(list) != 2 || list[0].ID == disk.ID {
		t.Errorf("%+v", list)
	}
	s.ticks(3)
	s.tick(busy("h1", 0))
	s.want("recovering network-hog h1", "cleared network-hog h1 recovered", "reopened disk-busy h1")
}

// TestResolve: a resolved incident is over, and a harmless one ends only if the command
// names it.
func TestResolve(t *testing.T) {
	own := found(finding.OwnWork, finding.ServerIssued, server("h1"), 0, 0, 1)
	own.Certain = true
	for _, tt := range []struct {
		name       string
		word       string
		components []int
		want       []string
	}{
		{"by its place", "h1/sda", []int{0}, []string{"cleared slow drive h1/sda resolved"}},
		{"by what it hangs on", "rack", []int{0, 1, 2, 3}, []string{"cleared slow drive h1/sda resolved"}},
		{"by its server", "h1", []int{0, 1, 2, 3}, []string{"cleared slow drive h1/sda resolved", "cleared server-issued workload h1 resolved"}},
		{"another", "h1/sdb", []int{1}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := begin(t)
			s.tick(slow("h1/sda", 0, 2), own)
			s.events = nil
			s.Apply(&command.Command{Verb: command.Resolve, Name: tt.word}, tt.components, s.now)
			s.want(tt.want...)
		})
	}
	s := begin(t)
	s.tick(slow("h1/sda", 0, 2))
	s.Apply(&command.Command{Verb: command.Resolve, Name: s.List(incident.Combined)[0].ID}, nil, s.now)
	s.want("opened slow drive h1/sda", "cleared slow drive h1/sda resolved")
	s.tick(slow("h1/sda", 0, 0.9))
	s.want() // half of the evidence is not enough for what was repaired
	s.tick(slow("h1/sda", 0, 1.25))
	s.want("reopened slow drive h1/sda")
	if list := s.List(incident.Combined); len(list) != 1 || len(list[0].Spans) != 2 || list[0].Onset != list[0].Spell {
		t.Errorf("what was repaired and what came after it: %+v", list)
	}
}

// TestDoubtfulReturn: a component whose effect includes 1 does not make a recovering incident active
// again, and the incident does not end meanwhile. A clear effect makes it active.
func TestDoubtfulReturn(t *testing.T) {
	s := begin(t)
	returns := func(low float64) finding.Finding {
		f := slow("h1/sda", 0, 2)
		f.Members[0].Effect = finding.Effect{Times: 1.32, Low: low, High: 1.89}
		return f
	}
	s.tick(returns(0.92)) // a new incident needs other evidence (isIncident)
	s.want("opened slow drive h1/sda")
	for range bounds().Criteria.RecoverSeconds / shift {
		s.tick()
	}
	s.want("recovering slow drive h1/sda")
	s.ticks(int(2*bounds().Criteria.OverSeconds/shift), returns(0.92))
	s.want()
	s.tick(returns(1.05))
	if list := s.List(incident.Combined); len(list) != 1 || list[0].Phase != incident.Active {
		t.Errorf("a clear effect: %+v", list)
	}
}

// TestPeriodsDoNotOverlap: whatever a detector finds, a new period of an incident begins after the
// operator has resolved the incident, or after the end of the period before. The detectors of this
// test always find the onset of the first period.
func TestPeriodsDoNotOverlap(t *testing.T) {
	kinds := map[finding.Class]finding.Kind{
		finding.Slow: finding.SlowDrive, finding.Past: finding.SlowerThanBefore, finding.Tail: finding.SlowTail, finding.Load: finding.WorkloadImbalance,
		finding.Path: finding.SilentServer, finding.Stall: finding.StalledRequests, finding.OwnWork: finding.ServerIssued, finding.Resource: finding.DiskBusy,
		finding.Imbalance: finding.WorkloadImbalance, finding.Pause: finding.Pauses, finding.Capacity: finding.Throttled,
	}
	first := finding.Onset{At: 200, Early: 100, Late: 260}
	for _, class := range finding.Classes() {
		for name, onset := range map[string]finding.Onset{
			"usual": first, "vague": finding.OnsetBetween(100, 1200), "before the data": finding.OnsetBefore(100), "wide": {At: 200, Early: 100, Late: 1 << 20},
		} {
			t.Run(fmt.Sprint(class, ", ", name), func(t *testing.T) {
				if kinds[class] == "" {
					t.Fatal("the test has no kind of this class")
				}
				f := found(class, kinds[class], server("h1"), 9, 0)
				f.Onset, f.Certain = first, true
				s := begin(t)
				tick := func(list ...finding.Finding) {
					s.now += shift
					s.AddTick(incident.Tick{
						Time: s.now, Seconds: shift, Found: list, Classes: finding.Classes(),
						Judged: func(finding.Class, int) bool { return true }, SilenceJudged: func(int) bool { return true },
						Metrics: func([]finding.Member) []string { return nil },
					})
				}
				want := func(spans int, earliest int64) {
					t.Helper()
					in := s.List(incident.Combined)[0]
					o := in.PresentOnset()
					if len(in.Spans) != spans || in.Phase != incident.Active || in.Spans[spans-1].From != o.At || o.Earlier {
						t.Fatalf("%s, spans %+v, present onset %+v; want %d spans", in.Phase, in.Spans, o, spans)
					}
					if o.At < earliest || o.Early < earliest || o.Late < o.At || o.At > s.now {
						t.Errorf("the last period begins at %+v, want from %d on, until %d", o, earliest, s.now)
					}
					for i := range spans - 1 {
						if in.Spans[i].To > in.Spans[i+1].From {
							t.Errorf("periods overlap: %+v", in.Spans)
						}
					}
				}
				tick(f)
				want(1, 0)

				f.Onset = onset
				s.now += 130 // the operator resolves it between two ticks
				resolved := s.now
				s.Apply(&command.Command{Verb: command.Resolve, Name: "h1"}, []int{0, 1, 2, 3}, resolved)
				s.now += shift - 130
				tick(f)
				want(2, resolved)

				over := s.now
				for range 2 * bounds().Criteria.OverSeconds / shift {
					tick()
				}
				tick(f)
				want(3, over)

				row := s.now
				s.now += shift + 10 // the command is later than the next row
				s.Apply(&command.Command{Verb: command.Resolve, Name: "h1"}, []int{0, 1, 2, 3}, s.now)
				s.now = row
				tick(f)
				want(4, row)
			})
		}
	}
}

// TestOneStartOfEachSpan shows that the start of a span stays as it was when the problem was
// confirmed, although later findings of the same span have other onsets. The first span and a later
// span follow the same rule.
func TestOneStartOfEachSpan(t *testing.T) {
	s := begin(t)
	tick := func(onset int64) {
		f := slow("h1/sda", 0, 2)
		f.Onset = finding.Onset{At: onset, Early: onset - 60, Late: onset + 60}
		f.Members[0].Since = onset
		s.tick(f)
	}
	want := func(spans int, onset, latest int64) {
		t.Helper()
		in := s.List(incident.Combined)[0]
		o := in.PresentOnset()
		if len(in.Spans) != spans || in.Spans[spans-1].From != onset || o != (finding.Onset{At: onset, Early: onset - 60, Late: onset + 60}) || in.LatestSince() != latest {
			t.Errorf("%d spans %+v, start %+v, latest %d; want %d spans, start %d, latest %d", len(in.Spans), in.Spans, o, in.LatestSince(), spans, onset, latest)
		}
	}
	quiet := func(seconds int64) {
		for range seconds / shift {
			s.tick()
		}
	}
	tick(400)
	tick(90)
	want(1, 400, 90)
	recovers := bounds().Criteria.RecoverSeconds
	quiet(recovers)
	tick(s.now)
	want(1, 400, s.now-shift)
	quiet(2 * bounds().Criteria.OverSeconds)
	again := s.now
	tick(again)
	want(2, again, again)
	quiet(recovers)
	tick(again + 5000)
	want(2, again, again+5000)
}

// TestDue: a problem that continues at its present rate becomes an incident at the time
// that Pending returned.
func TestDue(t *testing.T) {
	for _, tt := range []struct {
		name  string
		each  float64 // that it amounts to more with every window
		until int64
		back  bool // it was an incident before
	}{
		{"slow", 0.0866, 0, false},
		{"far slower", 0.288, 0, false},
		{"any moment", 0.9999, 0, false},
		{"like a rebuild", 0.288, 20 * shift, false},
		{"it has come back", 0.0866, 0, true},
	} {
		s := begin(t)
		if tt.back {
			s.tick(slow("h1/sda", 0, 2))
			s.ticks(20)
		}
		began, windows := s.now, 0
		show := func() {
			windows++
			f := slow("h1/sda", 0, tt.each*float64(windows))
			f.Onset, f.Until = finding.Onset{At: began, Early: began, Late: began}, tt.until
			s.tick(f)
		}
		show()
		list, by := s.Pending()
		if len(list) != 1 {
			t.Fatalf("%s: %d suspects", tt.name, len(list))
		}
		for len(s.List(incident.Combined)) == 0 || s.List(incident.Combined)[0].Phase != incident.Active {
			if s.now > by[0] {
				t.Fatalf("%s: told by %d, and no incident at %d", tt.name, by[0], s.now)
			}
			show()
		}
		if s.now-by[0] >= shift || by[0] > s.now {
			t.Errorf("%s: told by %d, an incident at %d", tt.name, by[0], s.now)
		}
	}
}

// TestPending: suspects come worst first. Harmless problems and components with more load
// than their peers are no suspects.
func TestPending(t *testing.T) {
	s := begin(t)
	s.tick(slow("h1/sda", 0, 0.22), slow("h2/sdc", 6, 0.67), slow("h2/sda", 4, 0.67), found(finding.Slow, finding.WorkloadImbalance, drive("h2/sdb"), 0.5, 5), found(finding.OwnWork, finding.ServerIssued, server("h3"), 0, 8))
	list, _ := s.Pending()
	var names []string
	for _, in := range list {
		names = append(names, in.Place.Name)
	}
	if got := strings.Join(names, " "); got != "h2/sda h2/sdc h1/sda" {
		t.Errorf("suspects %s", got)
	}
}

// TestOrder: open incidents come before ended ones, harmless and muted ones come last.
// Then the order is by severity, persistence, or both.
func TestOrder(t *testing.T) {
	in := func(name string, phase incident.Phase, kind finding.Kind, muted bool, severity float64, windows int) incident.Incident {
		return incident.Incident{
			ID: name, Phase: phase, Kind: kind, Muted: muted, Severity: severity, Worst: 10 * severity, Windows: windows, Place: drive(name),
		}
	}
	list := []incident.Incident{
		in("muted", incident.Active, finding.SlowDrive, true, 99, 999),
		in("harmless over", incident.Cleared, finding.ServerIssued, false, 1, 1),
		in("harmless", incident.Active, finding.ServerIssued, false, 1, 1),
		in("over", incident.Cleared, finding.SlowDrive, false, 1, 1),
		in("worse, over", incident.Cleared, finding.SlowDrive, false, 2, 1),
		in("recovers", incident.Recovering, finding.SlowDrive, false, 1, 1),
		in("long", incident.Active, finding.SlowDrive, false, 2, 100),
		in("slow", incident.Active, finding.SlowDrive, false, 9, 2),
		in("both", incident.Active, finding.SlowDrive, false, 8, 8),
	}
	for i := range list {
		list[i].WindowSeconds = shift
	}
	tail := ", recovers, worse, over, over, harmless, harmless over, muted"
	for o, first := range map[incident.Order]string{
		incident.Combined: "both, slow, long", incident.ByPersistence: "long, both, slow", incident.BySeverity: "slow, both, long",
	} {
		for _, turned := range []bool{false, true} {
			sorted := slices.Clone(list)
			if turned {
				slices.Reverse(sorted)
			}
			o.Sort(sorted)
			var names []string
			for _, in := range sorted {
				names = append(names, in.ID)
			}
			want := first + tail
			if o == incident.ByPersistence {
				want = first + ", recovers, over, worse, over, harmless, harmless over, muted"
			}
			if got := strings.Join(names, ", "); got != want {
				t.Errorf("by %s: %s, want %s", o, got, want)
			}
		}
	}
	if 9*math.Log1p(2) > 8*math.Log1p(8) {
		t.Error("the example does not tell the orders apart")
	}
}

// TestJoinedPlace: a finding at two places absorbs the incident of the second place. A later finding
// at one of the places belongs to the joined incident. When both places come back, the incident is
// the same, whichever place the finding has.
func TestJoinedPlace(t *testing.T) {
	s := begin(t)
	sda, sdb := blame.Place{Tier: blame.Position, Name: "sda"}, blame.Place{Tier: blame.Position, Name: "sdb"}
	at := func(p blame.Place, joined []blame.Place, components ...int) finding.Finding {
		f := found(finding.Slow, finding.SharedSlowness, p, 9, components...)
		f.Joined, f.Gathers = joined, true
		return f
	}
	s.tick(at(sdb, nil, 1, 5))
	s.tick(at(sdb, nil, 1, 5), at(sda, nil, 0, 4))
	s.want("opened shared slowness sdb", "opened shared slowness sda")
	first := s.List(incident.Combined)
	s.tick(at(sdb, []blame.Place{sda}, 0, 1, 4, 5))
	s.want("cleared shared slowness sda merged", "changed shared slowness sdb")
	list := s.List(incident.Combined)
	if len(list) != 1 || list[0].Place != sdb || !slices.Equal(list[0].Joined, []blame.Place{sda}) || len(list[0].Members) != 4 {
		t.Fatalf("joined: %+v", list)
	}
	id := list[0].ID
	if !slices.ContainsFunc(first, func(in incident.Incident) bool { return in.ID == id && in.Place == sdb }) {
		t.Errorf("the ID %s is not that of the first incident", id)
	}
	s.tick(at(sda, nil, 0, 4)) // the other place recovers first
	if list = s.List(incident.Combined); len(list) != 1 || list[0].ID != id || list[0].Place != sdb || len(list[0].Joined) != 1 {
		t.Errorf("one place of two: %+v", list)
	}
	s.ticks(20)
	s.want("recovering shared slowness sdb", "cleared shared slowness sdb recovered")
	s.tick(at(sda, []blame.Place{sdb}, 0, 1, 4, 5, 8, 9))
	if list = s.List(incident.Combined); len(list) != 1 || list[0].ID != id || list[0].Phase != incident.Active {
		t.Errorf("both come back, on one more server: %+v", list)
	}
}

// shared returns an array of four LUNs with a path from each of four servers, and an interface of
// each server. The second result returns the number of a component.
func shared(t *testing.T) (*blame.Map, func(name string) int) {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte("servers: fs[1-4]\n"+
		"arrays:\n  - names: ddn1\n    servers_per_array: 4\n    luns: 0-3\n    priority: rotate\n    devices: sd[b-e]\n"+
		"interfaces:\n  - servers: fs[1-4]\n    names: eth0\n"))
	if err != nil {
		t.Fatal(err)
	}
	return blame.NewMap(s), func(name string) int {
		c, ok := s.Lookup(name)
		if !ok {
			t.Fatalf("no component %s", name)
		}
		return c
	}
}

// TestLUNExplainsServer: a slow LUN explains the busy disk of a server if it rests on paths to this
// LUN alone, whichever was found first, and the ID is the same. Another LUN makes it a problem of the
// server.
func TestLUNExplainsServer(t *testing.T) {
	m, c := shared(t)
	one := found(finding.Slow, finding.SingleLUN, blame.Place{Tier: blame.LUN, Name: "1.1"}, 2, c("1.1.2"))
	uneven := found(finding.Imbalance, finding.WorkloadImbalance, server("fs2"), 0, c("1.1.2"))
	uneven.Certain = true
	var ids []string
	for name, ticks := range map[string][][]finding.Finding{
		"the LUN first":    {{one}, {one, busy("fs2", c("1.1.2"))}, {one, uneven}},
		"the server first": {{busy("fs2", c("1.1.2"))}, {one, busy("fs2", c("1.1.2"))}, {one, uneven}},
	} {
		s := beginOn(t, m)
		for _, list := range ticks {
			s.tick(list...)
		}
		in := s.List(incident.Combined)
		if len(in) != 1 || in[0].Kind != finding.SingleLUN || len(in[0].Also) != 2 {
			t.Errorf("%s: %+v, want the LUN with two findings about its server", name, in)
			continue
		}
		ids = append(ids, in[0].ID)
	}
	if len(slices.Compact(ids)) != 1 {
		t.Errorf("IDs %v, want one", ids)
	}

	s := beginOn(t, m)
	s.tick(one)
	s.tick(one, busy("fs2", c("1.1.2"), c("1.0.2")))
	if in := s.List(incident.Combined); len(in) != 2 {
		t.Errorf("%+v, want the LUN, and the server with two busy LUNs", in)
	}
}

// TestBusyDiskExplainsPauses: a server that stands still because its disk completes no request is a
// part of the incident about this disk, whichever was found first. A server that stands still for its
// processors, and the disk of another server, are two incidents.
func TestBusyDiskExplainsPauses(t *testing.T) {
	const h1, h2 = 1, 5 // sdb of each server
	pauses := func(name string, c int, by table.Cause) finding.Finding {
		f := found(finding.Pause, finding.Pauses, server(name), 2, c)
		f.Certain, f.Evidence = true, []finding.Evidence{{Metric: finding.PauseCount}, {Metric: finding.PauseMeasurement(by), Unit: "s", Own: 9}}
		return f
	}
	ids := map[string]string{}
	disk, drive := busy("h1", h1), slow("h1/sdb", h1, 2)
	for name, tt := range map[string]struct {
		ticks [][]finding.Finding
		want  int
	}{
		"the disk first":   {[][]finding.Finding{{disk}, {disk, pauses("h1", h1, table.ByDisk)}}, 1},
		"the pauses first": {[][]finding.Finding{{pauses("h1", h1, table.ByDisk)}, {disk, pauses("h1", h1, table.ByDisk)}}, 1},
		"a slow drive":     {[][]finding.Finding{{pauses("h1", h1, table.ByDisk)}, {drive, pauses("h1", h1, table.ByDisk)}}, 1},
		"processors":       {[][]finding.Finding{{disk}, {disk, pauses("h1", h1, table.ByCPU)}}, 2},
		"another server":   {[][]finding.Finding{{disk}, {disk, pauses("h2", h2, table.ByDisk)}}, 2},
	} {
		s := begin(t)
		for _, list := range tt.ticks {
			s.tick(list...)
		}
		in := s.List(incident.Combined)
		if len(in) != tt.want || tt.want == 1 && (in[0].Kind == finding.Pauses || len(in[0].Also) != 1) {
			t.Errorf("%s: %+v, want %d", name, in, tt.want)
		}
		ids[name] = in[0].ID
	}
	if ids["the disk first"] != ids["the pauses first"] {
		t.Errorf("the ID depends on what was found first: %v", ids)
	}
}

// TestLostPathsExplainLoad: a server that serves more than its peers since paths of other servers to
// the same LUNs are lost is a part of the incident about these paths, under the ID of that incident.
// If it has served more for a day, or has no path to these LUNs, it is not.
func TestLostPathsExplainLoad(t *testing.T) {
	m, c := shared(t)
	array := blame.Place{Tier: blame.Array, Name: "ddn1"}
	const day = 86400
	gone := lost(array, day, c("1.0.1"), c("1.1.1"))
	more := func(name string, since int64) finding.Finding {
		f := found(finding.Imbalance, finding.WorkloadImbalance, server(name), 0, c(name+"/eth0"))
		f.Certain, f.Members[0].Since = true, since
		return f
	}
	s := beginOn(t, m)
	s.tick(gone)
	id := s.List(incident.Combined)[0].ID
	s.tick(gone, more("fs2", day+60))
	if in := s.List(incident.Combined); len(in) != 1 || len(in[0].Also) != 1 || in[0].ID != id {
		t.Errorf("%+v, want one incident with the load of fs2", in)
	}

	s = beginOn(t, m)
	s.tick(more("fs2", day+60))
	first := s.List(incident.Combined)[0].ID
	s.tick(more("fs2", day+60), gone)
	if in := s.List(incident.Combined); len(in) != 1 || in[0].Kind != finding.LostAttachment || len(in[0].Also) != 1 || in[0].ID != id {
		t.Errorf("%+v, want one incident %s with the load of fs2", in, id)
	}
	if s.told[first] != "workload imbalance fs2 cleared" {
		t.Errorf("%s was last told as %q", first, s.told[first])
	}

	s = beginOn(t, m)
	s.tick(more("fs2", 60))
	s.tick(more("fs2", 60), gone)
	if in := s.List(incident.Combined); len(in) != 2 {
		t.Errorf("%+v, want that the load of a day before is not explained", in)
	}
}

// TestOneDiskOneID: the ID of a fault of a server's disk that rests on one drive does not depend on
// the detector that found it first, nor on whether it looked like a hog at first.
func TestOneDiskOneID(t *testing.T) {
	hog := busy("h1", 0)
	hog.Kind = finding.DiskHog
	both := busy("h1", 1, 0)
	bothHog := busy("h1", 0, 1)
	bothHog.Kind = finding.DiskHog
	for name, tt := range map[string]struct{ runs [][]finding.Finding }{
		"one drive":  {[][]finding.Finding{{slow("h1/sda", 0, 2)}, {busy("h1", 0)}, {hog}, {busy("h1", 0), slow("h1/sda", 0, 2)}, {slow("h1/sda", 0, 2), hog}}},
		"two drives": {[][]finding.Finding{{both}, {bothHog}}},
	} {
		var ids []string
		for _, list := range tt.runs {
			s := begin(t)
			for _, f := range list {
				s.tick(f)
			}
			in := s.List(incident.Combined)
			if len(in) != 1 {
				t.Errorf("%s: %+v, want one incident", name, in)
			}
			ids = append(ids, in[0].ID)
		}
		if len(slices.Compact(slices.Clone(ids))) != 1 {
			t.Errorf("%s: IDs %v, want one", name, ids)
		}
	}
	one, other := begin(t), begin(t)
	one.tick(busy("h1", 0))
	other.tick(busy("h1", 1))
	if one.List(incident.Combined)[0].ID == other.List(incident.Combined)[0].ID {
		t.Error("two drives of a server have one ID")
	}

	// A hog that comes back as a busy disk is the same incident.
	s := begin(t)
	s.tick(hog)
	id := s.List(incident.Combined)[0].ID
	s.ticks(3)
	s.tick(busy("h1", 0))
	if in := s.List(incident.Combined); len(in) != 1 || in[0].ID != id || len(in[0].Spans) != 2 {
		t.Errorf("%+v, want %s again", in, id)
	}
}
