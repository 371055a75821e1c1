package action

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/topology"
)

const noon = 1_800_014_400 // 2027-01-15 12:00 UTC

// cluster returns OSDs on servers, four on each, with three copies of all data.
func cluster(osds int) *topology.System {
	s := &topology.System{Name: "site"}
	for i := range osds {
		server, device := fmt.Sprintf("osd%d", i/4), fmt.Sprintf("sd%c", 'b'+i%4)
		s.Components = append(s.Components, topology.Component{
			Name: server + "/" + device, Server: server, Device: device,
			Part: topology.Part{Storage: "ceph", Redundancy: "3 replicas", Volume: fmt.Sprint(i)},
		})
	}
	return s
}

// slow returns an incident about one drive that was confirmed an hour ago.
func slow(s *topology.System, c int) incident.Incident {
	began := int64(noon - 7200)
	return incident.Incident{
		ID: fmt.Sprintf("id%04d", c), Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: s.Components[c].Name}, Phase: incident.Active,
		Onset: finding.Onset{At: began, Early: began, Late: began}, Confirmed: noon - 3600 + int64(c),
		Members: []finding.Member{{Component: c, Role: finding.IsSlow, Ratio: 3, Worst: 4, Effect: finding.Effect{Times: 3, Low: 2.5, High: 3.5}}},
	}
}

func propose(change ...func(*Policy)) *Policy {
	p := DefaultPolicy()
	p.Mode = Propose
	p.Rules = []Rule{defaultRule(Propose)}
	for _, c := range change {
		c(&p)
	}
	return &p
}

func takeOut(p *Policy) { p.Rules[0].Effects = []Effect{TakeOut} }

func TestCommands(t *testing.T) {
	drive := func(p topology.Part) *topology.System {
		return &topology.System{Components: []topology.Component{{Name: "box1/sdb", Server: "box1", Device: "sdb", Part: p}}}
	}
	for _, tt := range []struct {
		name       string
		system     *topology.System
		policy     *Policy
		do, undo   string
		wantGuards int
	}{
		{"Ceph, reads", cluster(8), propose(), "ceph osd primary-affinity osd.0 0", "ceph osd primary-affinity osd.0 1", 3},
		{"Ceph, out", cluster(8), propose(takeOut), "ceph osd out osd.0", "ceph osd in osd.0", 4},
		{"md", drive(topology.Part{Storage: "md", Redundancy: "raid1", Pool: "md0"}), propose(), "ssh box1 'echo writemostly > /sys/block/md0/md/dev-sdb/state'", "ssh box1 'echo -writemostly > /sys/block/md0/md/dev-sdb/state'", 3},
		{"ZFS, reads", drive(topology.Part{Storage: "zfs", Redundancy: "raidz1", Pool: "tank/raidz1-0"}), propose(), "ssh box1 'zpool set sit_out=on tank sdb'", "ssh box1 'zpool set sit_out=off tank sdb'", 2},
		{"ZFS, offline", drive(topology.Part{Storage: "zfs", Redundancy: "raidz2", Pool: "tank/raidz2-0"}), propose(takeOut), "ssh box1 'zpool offline -t tank sdb'", "ssh box1 'zpool online tank sdb'", 1},
		{"limpet raid", drive(topology.Part{Storage: "limpet", Redundancy: "8+2", Pool: "/run/a.control"}), propose(), "ssh box1 'limpet raid mask --at /run/a.control --incident id0000 --by limpet sdb'", "ssh box1 'limpet raid unmask --at /run/a.control --incident id0000 sdb'", 1},
		{"limpet raid, by number", drive(topology.Part{Storage: "limpet", Redundancy: "raid6", Pool: "/run/a.control", Volume: "3"}), propose(), "ssh box1 'limpet raid mask --at /run/a.control --incident id0000 --by limpet 3'", "ssh box1 'limpet raid unmask --at /run/a.control --incident id0000 3'", 1},
		{"multipath", drive(topology.Part{Storage: "multipath", Redundancy: "4 replicas"}), propose(takeOut), "ssh box1 'multipathd fail path sdb'", "ssh box1 'multipathd reinstate path sdb'", 1},
	} {
		in := slow(tt.system, 0)
		d, ok := New(tt.policy, Situation{System: tt.system, Now: noon, Open: []incident.Incident{in}}).For(&in)
		if !ok || d.Refused != "" || d.Do.String() != tt.do || d.Undo.String() != tt.undo || len(d.Guards) != tt.wantGuards {
			t.Errorf("%s: %t, refused %q, do %s, undo %s, %d guards; want %s and %s with %d guards", tt.name, ok, d.Refused, d.Do, d.Undo, len(d.Guards), tt.do, tt.undo, tt.wantGuards)
		}
		for _, text := range []string{d.What, d.Do.String(), d.State.Command.String(), d.State.Masked, d.State.Normal, d.Undo.String(), guardText(d.Guards)} {
			if strings.ContainsAny(text, "{}") {
				t.Errorf("%s: a name is missing in %q", tt.name, text)
			}
		}
	}
}

func guardText(list []Check) (text string) {
	for _, g := range list {
		text += g.Command.String() + ": " + g.Wants + "\n"
	}
	return text
}

// Each reason for a refusal, by one change of a situation in which an action is proposed.
func TestRefusals(t *testing.T) {
	type state struct {
		system *topology.System
		policy *Policy
		s      *Situation
		in     *incident.Incident
	}
	part := func(change func(*topology.Component)) func(*state) {
		return func(x *state) {
			for i := range x.system.Components {
				change(&x.system.Components[i])
			}
		}
	}
	others := func(components ...int) func(*state) {
		return func(x *state) {
			for _, c := range components {
				x.s.Open = append(x.s.Open, slow(x.system, c))
			}
		}
	}
	deed := func(d PastAction) func(*state) {
		return func(x *state) { x.s.PastActions = append(x.s.PastActions, d) }
	}
	role := func(r finding.Role, c int) func(*state) {
		return func(x *state) {
			in := slow(x.system, c)
			in.Members[0].Role = r
			x.s.Open = append(x.s.Open, in)
		}
	}
	for _, tt := range []struct {
		want   Reason
		change func(*state)
	}{
		{"", func(*state) {}},
		{Stopped, func(x *state) { x.policy.Stop = true }},
		{NotMaskable, func(x *state) { x.in.Kind = finding.LostAttachment }},
		{NotMaskable, func(x *state) { x.in.Members = nil }},
		{SeveralParts, func(x *state) { x.in.Place = blame.Place{Tier: blame.Server, Name: "osd0"} }},
		{SeveralParts, func(x *state) {
			x.in.Members = append(x.in.Members, finding.Member{Component: 1, Role: finding.IsSlow})
		}},
		{"", func(x *state) {
			x.in.Members = append(x.in.Members, finding.Member{Component: 1, Role: finding.TookOver})
		}},
		{NoRule, func(x *state) { x.policy.Rules = nil }},
		{NoRule, func(x *state) { x.policy.Rules[0].Mode = Off }},
		{NoRule, func(x *state) { x.policy.Rules[0].Servers = []string{"osd1"} }},
		{"", func(x *state) { x.policy.Rules[0].Servers = []string{"osd1", "osd?"} }},
		{NoRule, func(x *state) { x.policy.Rules[0].Storage = []string{"zfs"} }},
		{NoRule, func(x *state) { x.policy.Rules[0].Components = []string{"osd0"} }},
		{"", func(x *state) { x.policy.Rules[0].Components = []string{"osd0/*"} }},
		{NoRule, func(x *state) { x.policy.Rules[0].Pools = []string{"rbd"} }},
		{KindNotIn, func(x *state) { x.policy.Rules[0].Kinds = []finding.Kind{finding.SlowTail} }},
		{KindNotIn, func(x *state) { x.in.Class, x.in.Kind = finding.Tail, finding.SlowTail }},
		{"", func(x *state) {
			x.in.Class, x.in.Kind, x.policy.Rules[0].Kinds = finding.Tail, finding.SlowTail, []finding.Kind{finding.SlowTail}
		}},
		{OnlySuspect, func(x *state) { x.in.Confirmed = 0 }},
		{"", func(x *state) { x.in.Confirmed, x.policy.Rules[0].Suspects = 0, true }},
		{TooFast, func(x *state) { x.policy.Rules[0].TimesSlower = 2.6 }},
		{RatioUnknown, func(x *state) { x.in.Members[0].Effect = finding.Effect{} }},
		{TooShort, func(x *state) { x.in.Onset.Late = noon - 899 }},
		{"", func(x *state) { x.in.Onset.Late = noon - 900 }},
		{TooShort, func(x *state) { x.in.Spell = finding.Onset{At: noon - 60, Early: noon - 60, Late: noon - 60} }},
		{WrongHour, func(x *state) { x.policy.Rules[0].Hours = Hours{20 * 60, 6 * 60} }},
		{WrongHour, func(x *state) { x.policy.Rules[0].Hours = Hours{6 * 60, 12 * 60} }},
		{"", func(x *state) { x.policy.Rules[0].Hours = Hours{12 * 60, 13 * 60} }},
		{"", func(x *state) { x.policy.Rules[0].Hours = Hours{11 * 60, 2 * 60} }},
		{Stopped, func(x *state) { x.s.Stopped = true }},
		{ActedBefore, func(x *state) { x.s.Decided = func(in *incident.Incident) bool { return in.ID == x.in.ID } }},
		{IsMuted, func(x *state) { x.in.Muted = true }},
		{IsRecovering, func(x *state) { x.in.Phase = incident.Recovering }},
		{NotJudged, func(x *state) { x.in.Unjudged = noon - 60 }},
		{MayBeOther, func(x *state) { x.in.MayBe = finding.ArrayUpkeep }},
		{OtherPlace, func(x *state) { x.in.Alike = []blame.Place{{Tier: blame.Server, Name: "osd0"}} }},

		{UnknownStorage, part(func(c *topology.Component) { c.Storage = "" })},
		{UnknownRedundancy, part(func(c *topology.Component) { c.Redundancy = "" })},
		{UnknownRedundancy, func(x *state) { x.system.Components[7].Redundancy = "" }},
		{NoRedundancy, part(func(c *topology.Component) { c.Redundancy = "none" })},
		{RedundancyUsed, func(x *state) { x.system.Components[7].Redundancy = "1 replica" }},
		{BeneathPart, part(func(c *topology.Component) { c.Redundancy = "raid6" })},
		{NoDriver, part(func(c *topology.Component) { c.Storage = "hdfs" })},
		{NoDriver, part(func(c *topology.Component) { c.Redundancy = "4+2" })}, // reads of erasure coding need every OSD
		{"", func(x *state) {
			part(func(c *topology.Component) { c.Redundancy = "4+2" })(x)
			x.policy.Rules[0].Effects = Effects()
		}},
		{NoOtherPlace, func(x *state) { // 8 OSDs, one of which would be out
			part(func(c *topology.Component) { c.Redundancy = "6+2" })(x)
			takeOut(x.policy)
		}},
		{UnknownServer, func(x *state) { x.system.Components[0].Server = "" }},
		{UnknownServer, func(x *state) { x.system.Components[0].Server = "-oProxyCommand=reboot" }},
		{UnknownName, func(x *state) { x.system.Components[0].Volume = "" }},
		{UnknownName, func(x *state) { x.system.Components[0].Volume = "7; reboot" }},
		{Rebuilding, role(finding.Rebuilds, 5)},
		{Rebuilding, role(finding.Checked, 5)},
		{Rebuilding, func(x *state) { // another kind of storage on the same server
			x.system.Components[1].Storage, x.system.Components[1].Redundancy = "md", "raid6"
			role(finding.Rebuilds, 1)(x)
		}},
		{"", func(x *state) { // and on another server
			x.system.Components[5].Storage, x.system.Components[5].Redundancy = "md", "raid6"
			role(finding.Rebuilds, 5)(x)
		}},

		{"", others(4)},
		{RedundancyUsed, others(4, 5)},
		{RedundancyUsed, func(x *state) { takeOut(x.policy); others(4)(x) }},
		{"", func(x *state) { takeOut(x.policy) }},
		{RedundancyUsed, func(x *state) { // a server without data may have lost its four OSDs
			in := slow(x.system, 4)
			in.Class, in.Kind, in.Place, in.Members = finding.Path, finding.SilentServer, blame.Place{Tier: blame.Server, Name: "osd1"}, nil
			x.s.Open = append(x.s.Open, in)
		}},
		{RedundancyUsed, func(x *state) { x.s.Silent = []string{"osd1"} }},
		{RedundancyUsed, func(x *state) {
			x.s.PastActions = []PastAction{{Component: 2, Began: noon - 9000}, {Component: 3, Began: noon - 9000}}
			x.policy.MostAtOnce = 4
		}},
		{AlreadyMasked, deed(PastAction{Component: 0, Began: noon - 9000})},
		{OtherServer, deed(PastAction{Component: 4, Began: noon - 9000})},
		{AtOnce, deed(PastAction{Component: 1, Began: noon - 9000})},
		{"", func(x *state) { x.policy.MostAtOnce = 2; deed(PastAction{Component: 1, Began: noon - 9000})(x) }},
		{AnHour, func(x *state) {
			deed(PastAction{Component: 1, Began: noon - 3599, Ended: noon - 60})(x)
			deed(PastAction{Component: 2, Began: noon - 3599, Ended: noon - 60})(x)
		}},
		{"", func(x *state) {
			deed(PastAction{Component: 1, Began: noon - 3600, Ended: noon - 60})(x)
			deed(PastAction{Component: 2, Began: noon - 3599, Ended: noon - 60})(x)
		}},
		{Pausing, deed(PastAction{Component: 5, Began: noon - 9000, Ended: noon - 3599, Useless: true})},
		{"", deed(PastAction{Component: 5, Began: noon - 9000, Ended: noon - 3600, Useless: true})},
		{Pausing, func(x *state) { // a policy cannot shorten the pause
			x.policy.PauseSeconds = 0
			deed(PastAction{Component: 5, Began: noon - 9000, Ended: noon - 3599, Useless: true})(x)
		}},
	} {
		system, in := cluster(8), slow(cluster(8), 0)
		x := &state{system: system, policy: propose(), s: &Situation{System: system, Now: noon}, in: &in}
		tt.change(x)
		x.s.Open = append(x.s.Open, *x.in)
		if d, ok := New(x.policy, *x.s).For(x.in); !ok || d.Refused != tt.want {
			t.Errorf("refused %q, want %q (%+v)", d.Refused, tt.want, d)
		}
	}
}

// An incident that needs no decision has none.
func TestNoDecision(t *testing.T) {
	system := cluster(8)
	over, harmless, in := slow(system, 1), slow(system, 2), slow(system, 3)
	over.Phase, harmless.Kind = incident.Cleared, finding.ArrayUpkeep
	s := Situation{System: system, Now: noon, Open: []incident.Incident{over, harmless, in}}
	off := propose(func(p *Policy) { p.Mode = Off })
	for name, tt := range map[string]struct {
		policy *Policy
		in     *incident.Incident
	}{"over": {propose(), &over}, "harmless": {propose(), &harmless}, "mode off": {off, &in}, "no policy": {nil, &in}} {
		if d, ok := New(tt.policy, s).For(tt.in); ok {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// An incident that was decided about takes no part of the budget.
func TestDecided(t *testing.T) {
	system := cluster(8)
	a, b := slow(system, 0), slow(system, 1)
	s := Situation{System: system, Now: noon, Open: []incident.Incident{a, b}, Decided: func(in *incident.Incident) bool { return in.ID == a.ID }}
	if d, ok := New(propose(), s).For(&b); !ok || d.Refused != "" {
		t.Errorf("%+v", d)
	}
}

// The plan does not depend on the order of incidents: the first that was confirmed is masked.
func TestOrder(t *testing.T) {
	system := cluster(8)
	list := []incident.Incident{slow(system, 1), slow(system, 0)}
	for range 2 {
		slices.Reverse(list)
		plan := New(propose(), Situation{System: system, Now: noon, Open: list})
		for i := range list {
			want := map[string]Reason{"id0001": AtOnce}[list[i].ID]
			if d, _ := plan.For(&list[i]); d.Refused != want {
				t.Errorf("%s is refused with %q, want %q", list[i].ID, d.Refused, want)
			}
		}
	}
}

// checkCaps counts the caps for a plan on its own. It shares no code with the planner: it walks over all
// pairs of components, and reads the redundancy from its name.
func checkCaps(policy *Policy, s *Situation, plan *Plan) (wrong []string, proposed int) {
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	bears := map[string]int{
		"none": 0, "raid0": 0, "raid1": 1, "mirror": 1, "raid5": 1, "raidz1": 1, "raid6": 2, "raidz2": 2, "raidz3": 3,
		"1 replica": 0, "2 replicas": 1, "3 replicas": 2, "4 replicas": 3, "4+2": 2, "8+2": 2, "8+3": 3,
	}
	all := s.System.Components
	together := func(a, b int) bool {
		x, y := &all[a], &all[b]
		if x.Storage != y.Storage {
			return false
		}
		if x.Pool == "" || y.Pool == "" {
			return true
		}
		local := x.Storage == "zfs" || x.Storage == "md" || x.Storage == "raid" || x.Storage == "limpet"
		return x.Pool == y.Pool && (!local || x.Server == y.Server)
	}
	// An OSD and its drive are one part. Its index is that of the drive.
	part, osd := make([]int, len(all)), map[int]int{}
	for c := range all {
		part[c] = c
		for d := range all {
			if all[c].Service && !all[d].Service && all[d].Storage == "ceph" && all[d].Server == all[c].Host && all[d].Device == all[c].HostDevice {
				part[c], osd[d] = d, c
			}
		}
	}
	slowOrMasked := make([]bool, len(all))
	busy := make([]bool, len(all))
	type act struct {
		component int
		effect    Effect
	}
	var begun []act
	var under []int
	anHour := 0
	pause := int64(3600)
	for _, d := range s.PastActions {
		if d.Ended == 0 {
			under = append(under, part[d.Component])
			slowOrMasked[part[d.Component]] = true
		}
		if s.Now-d.Began < 3600 {
			anHour++
		}
		if d.Useless && (s.Now-d.Began < pause || s.Now-d.Ended < pause) {
			defer func() {
				if proposed > 0 {
					fail("an action less than an hour after one that did not help")
				}
			}()
		}
	}
	silent := slices.Clone(s.Silent)
	for i := range s.Open {
		if in := &s.Open[i]; in.Kind == finding.SilentServer && in.Phase != incident.Cleared {
			silent = append(silent, in.Place.Name)
		}
	}
	for c := range all {
		o, has := osd[c]
		if part[c] == c && slices.Contains(silent, all[c].Server) && (!has || slices.Contains(silent, all[o].Server)) {
			slowOrMasked[c] = true
		}
	}
	for i := range s.Open {
		in := &s.Open[i]
		if in.Phase == incident.Cleared {
			continue
		}
		for _, m := range in.Members {
			if m.Role != finding.TookOver {
				slowOrMasked[part[m.Component]] = true
			}
			if m.Role == finding.Rebuilds || m.Role == finding.Checked || in.Kind == finding.ArrayUpkeep {
				busy[part[m.Component]] = true
			}
		}
		d, ok := plan.For(in)
		if !ok || d.Refused != "" {
			continue
		}
		begun = append(begun, act{part[d.Component], d.Driver.Effect})
		if d.Driver.Storage != all[d.Component].Storage || len(d.Guards) == 0 || d.Do.String() == "" || d.Undo.String() == "" {
			fail("incomplete: %+v", d)
		}
	}
	proposed = len(begun)
	for _, b := range begun {
		c := b.component
		least := 1 // that must be left beside the part itself
		if b.effect == TakeOut {
			least = 2
		}
		for other := range all {
			if !together(c, other) {
				continue
			}
			n, known := bears[all[other].Redundancy]
			if !known {
				fail("%s: the redundancy of %s is unknown", all[c].Name, all[other].Name)
			}
			lost := 0
			for third := range all {
				if third == part[third] && third != c && together(c, third) && slowOrMasked[third] {
					lost++
				}
			}
			if width := map[string]int{"2 replicas": 2, "3 replicas": 3, "4 replicas": 4, "4+2": 6, "8+3": 11}[all[other].Redundancy]; b.effect == TakeOut && all[c].Storage == "ceph" {
				places, alone, hosts := 0, true, map[string]bool{}
				for third := range all {
					if third != part[third] || third == c || !together(c, third) || all[third].Volume == "" {
						continue
					}
					if alone = alone && all[third].Server != all[c].Server; !slowOrMasked[third] {
						places++
						hosts[all[third].Server] = true
					}
				}
				if places < width || alone && len(hosts) < width {
					fail("%s: %s needs %d parts, and %d others on %d hosts are left", all[c].Name, all[other].Redundancy, width, places, len(hosts))
				}
			}
			if n-lost < least {
				fail("%s: %s bears %d losses, %d others are slow or masked, %s", all[c].Name, all[other].Name, n, lost, b.effect)
			}
		}
		for other := range all {
			if busy[other] && (together(c, other) || all[other].Server == all[c].Server) {
				fail("%s: %s rebuilds", all[c].Name, all[other].Name)
			}
		}
		if all[c].Server == "" || all[c].Storage == "" {
			fail("%s: the topology does not know the part", all[c].Name)
		}
		if slices.Contains(under, c) {
			fail("%s is masked twice", all[c].Name)
		}
		under = append(under, c)
	}
	if proposed == 0 {
		return wrong, 0
	}
	if policy.Stop || policy.Mode == Off {
		fail("an action although actions are stopped or off")
	}
	for _, c := range under {
		if all[c].Server != all[under[0]].Server {
			fail("actions on the servers %s and %s", all[c].Server, all[under[0]].Server)
		}
	}
	if n := len(under); n > 4 || n > policy.MostAtOnce {
		fail("%d actions at once", n)
	}
	if n := anHour + proposed; n > 6 || n > policy.MostAnHour {
		fail("%d actions within an hour", n)
	}
	return wrong, proposed
}

// checkEach counts the caps for the decision about each incident alone.
func checkEach(policy *Policy, s *Situation) (wrong []string) {
	for i := range s.Open {
		in := &s.Open[i]
		alone := &Plan{Policy: policy, decisions: map[problem]Decision{problemOf(in): Decide(policy, *s, in)}}
		some, _ := checkCaps(policy, s, alone)
		wrong = append(wrong, some...)
	}
	return wrong
}

// draw makes a random topology, incidents, actions of before and a policy. Policies may have values that
// no file can have.
func draw(r *rand.Rand) (*Policy, Situation) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	system := &topology.System{}
	storage := pick("ceph", "ceph", "zfs", "md", "limpet", "multipath", "")
	redundancy := map[string][]string{
		"ceph": {"3 replicas", "3 replicas", "4 replicas", "2 replicas", "4+2", "8+3", "none", ""}, "zfs": {"raidz1", "raidz2", "raidz3", "mirror", ""},
		"md": {"raid1", "raid6", "none"}, "limpet": {"raid6", "8+2", "raid5"}, "multipath": {"2 replicas", "4 replicas"}, "": {"", "raid6"},
	}[storage]
	same := redundancy[r.IntN(len(redundancy))]
	mirrors := storage == "md" && r.IntN(2) == 0 // many small arrays on one server: only the caps of time bound the actions
	drives, deeds, incidents := 2+r.IntN(12), r.IntN(4), 1+r.IntN(4)
	if mirrors {
		same, drives, deeds, incidents = "raid1", 20, r.IntN(9), 4+r.IntN(8)
	}
	for i := range drives {
		server := fmt.Sprintf("s%d", i/(1+r.IntN(6)))
		if mirrors {
			server = "s0"
		}
		if r.IntN(40) == 0 {
			server = ""
		}
		c := topology.Component{Name: fmt.Sprintf("d%d", i), Server: server, Device: fmt.Sprintf("sd%c", 'b'+i), Part: topology.Part{Storage: storage, Redundancy: same, Volume: fmt.Sprint(i)}}
		switch storage {
		case "zfs":
			c.Pool = pick("tank/raidz2-0", "tank/raidz2-1")
		case "md":
			if c.Pool = pick("md0", "md1", "md0"); mirrors {
				c.Pool = fmt.Sprintf("md%d", i/2)
			}
		case "limpet":
			c.Pool = pick("/run/a.control", "/run/b.control", "b;reboot")
		case "ceph":
			c.Pool = pick("", "", "", "rbd")
		}
		if r.IntN(15) == 0 && !mirrors {
			c.Redundancy = redundancy[r.IntN(len(redundancy))]
		}
		if storage == "ceph" && r.IntN(6) == 0 {
			c.Volume = "" // a drive of databases
		}
		if r.IntN(30) == 0 && !mirrors {
			c.Storage, c.Redundancy, c.Pool = pick("md", "zfs"), "raid6", ""
		}
		system.Components = append(system.Components, c)
	}
	if storage == "ceph" && r.IntN(2) == 0 { // Ceph reports about its OSDs
		for _, d := range system.Components {
			if d.Storage != "ceph" || d.Volume == "" || r.IntN(10) == 0 {
				continue
			}
			system.Components = append(system.Components, topology.Component{
				Name: "osd." + d.Volume, Server: "ceph", Device: "osd." + d.Volume, Service: true, Host: d.Server, HostDevice: d.Device, HostPart: d.Name,
				Part: topology.Part{Storage: "ceph", Redundancy: d.Redundancy, Pool: d.Pool, Volume: "osd." + d.Volume},
			})
		}
	}
	s := Situation{System: system, Now: noon}
	if r.IntN(8) == 0 {
		s.Silent = []string{pick("s0", "s1", "s2", "ceph")}
	}
	for range deeds {
		d := PastAction{Component: r.IntN(len(system.Components)), Effect: Effects()[r.IntN(2)], Began: noon - int64(r.IntN(8000))}
		if r.IntN(3) > 0 {
			d.Ended, d.Useless = min(noon, d.Began+int64(r.IntN(8000))), r.IntN(4) == 0
		}
		s.PastActions = append(s.PastActions, d)
	}
	for range incidents {
		in := slow(system, r.IntN(len(system.Components)))
		in.Confirmed = noon - int64(r.IntN(5000))
		switch r.IntN(24) {
		case 0:
			in.Members[0].Role = finding.Rebuilds
		case 1:
			in.Kind = finding.ArrayUpkeep
		case 2:
			in.Kind, in.Class, in.Place = finding.SilentServer, finding.Path, blame.Place{Tier: blame.Server, Name: cmpOr(system.Components[in.Members[0].Component].Server, "s0")}
		case 3:
			in.Members = append(in.Members, finding.Member{Component: r.IntN(len(system.Components)), Role: finding.IsSlow})
		case 4:
			in.Phase = incident.Cleared
		}
		if !slices.ContainsFunc(s.Open, func(x incident.Incident) bool { return x.ID == in.ID }) { // the engine has one incident of an ID
			s.Open = append(s.Open, in)
		}
	}
	p := propose()
	p.MostAtOnce, p.MostAnHour, p.PauseSeconds = r.IntN(9), r.IntN(12), int64(r.IntN(9000))
	p.Stop = r.IntN(12) == 0
	p.Rules[0].Effects = [][]Effect{{Relieve}, {TakeOut}, Effects(), {TakeOut, Relieve}}[r.IntN(4)]
	p.Rules[0].TimesSlower, p.Rules[0].LastedSeconds, p.Rules[0].Suspects = 1, 0, true
	if p.Mode = []Mode{Propose, Ask, Do}[r.IntN(3)]; r.IntN(12) == 0 {
		p.Mode = Off
	}
	p.Rules[0].Mode = p.Mode
	return p, s
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// No random policy gets beyond the caps, and a fair share of the plans has an action, so that the check
// sees something.
func TestCaps(t *testing.T) {
	runs := 200_000
	if testing.Short() {
		runs = 30_000
	}
	acts, several := 0, 0
	for seed := range uint64(runs) {
		policy, s := draw(rand.New(rand.NewPCG(seed, 37)))
		wrong, n := checkCaps(policy, &s, New(policy, s))
		wrong = append(wrong, checkEach(policy, &s)...)
		if len(wrong) > 0 {
			t.Fatalf("seed %d: %s", seed, strings.Join(wrong, "\n"))
		}
		if n > 0 {
			acts++
		}
		if n > 1 {
			several++
		}
	}
	t.Logf("%d plans, %d with an action, %d with several", runs, acts, several)
	if acts < runs/20 || several < runs/1000 {
		t.Errorf("of %d plans only %d have an action, and %d several", runs, acts, several)
	}
}

func FuzzCaps(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		policy, s := draw(rand.New(rand.NewPCG(a, b)))
		wrong, _ := checkCaps(policy, &s, New(policy, s))
		if wrong = append(wrong, checkEach(policy, &s)...); len(wrong) > 0 {
			t.Fatal(strings.Join(wrong, "\n"))
		}
	})
}

// TestOSDsWithoutHosts: Ceph reports about its OSDs, and no host sends data. An OSD is taken out. A
// policy for some servers means the hosts of OSDs. If Ceph is silent too, nothing is done.
func TestOSDsWithoutHosts(t *testing.T) {
	system := cluster(8)
	for i, d := range system.Components {
		system.Components = append(system.Components, topology.Component{
			Name: "osd." + d.Volume, Server: "ceph", Device: "osd." + d.Volume, Service: true, Host: d.Server, HostDevice: d.Device, HostPart: system.Components[i].PartName(),
			Part: topology.Part{Storage: "ceph", Redundancy: d.Redundancy, Volume: "osd." + d.Volume},
		})
	}
	in := slow(system, 8)
	for name, tt := range map[string]struct {
		silent []string
		policy *Policy
		want   Reason
	}{
		"hosts are silent":            {[]string{"osd0", "osd1"}, propose(takeOut), ""},
		"hosts and Ceph are silent":   {[]string{"osd0", "osd1", "ceph"}, propose(takeOut), RedundancyUsed},
		"a rule for its host":         {nil, propose(takeOut, func(p *Policy) { p.Rules[0].Servers = []string{"osd0"} }), ""},
		"a rule for another host":     {nil, propose(takeOut, func(p *Policy) { p.Rules[0].Servers = []string{"osd1"} }), NoRule},
		"a rule for no host but Ceph": {nil, propose(takeOut, func(p *Policy) { p.Rules[0].Servers = []string{"ceph"} }), NoRule},
	} {
		d, _ := New(tt.policy, Situation{System: system, Now: noon, Open: []incident.Incident{in}, Silent: tt.silent}).For(&in)
		if d.Refused != tt.want || tt.want == "" && d.Do.String() != "ceph osd out osd.0" {
			t.Errorf("%s: refused %q, do %s; want %q", name, d.Refused, d.Do, tt.want)
		}
	}
}
