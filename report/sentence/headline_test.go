package sentence

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

var update = flag.Bool("update", false, "write golden files anew")

const site = `
name: site
servers: fs[1-8]
arrays:
  - names: ddn[1-2]
    servers_per_array: 4
    luns: 0-7
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-i]
`

// began is when all incidents of these tests began.
var began = time.Date(2011, 3, 13, 9, 15, 0, 0, time.UTC).Unix()

func siteWriter(t *testing.T) *Writer {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		t.Fatal(err)
	}
	o := engine.DefaultOptions()
	return New(s, table.Schema{Metrics: metric.All(), Components: len(s.Components)}, &o)
}

// members are components by name, all in one role.
func (w *Writer) members(t *testing.T, role finding.Role, names ...string) []finding.Member {
	t.Helper()
	var list []finding.Member
	for i, name := range names {
		c, ok := w.System.Lookup(name)
		if !ok {
			t.Fatalf("no component %s in %v", name, w.System.Components[0])
		}
		m := finding.Member{Component: c, Role: role, Odd: true, Windows: 9, Since: began}
		if role == finding.IsSlow || role == finding.Stalled || role == finding.Checked {
			m.Ratio, m.Worst, m.Own, m.Peers, m.Load = 2.4, 2.67-float64(i)/10, 27, 10.1, 1.01
			m.Effect = finding.Effect{Times: 2.49 - float64(i)/10, Low: 2.2, High: 2.8}
		}
		list = append(list, m)
	}
	return list
}

func at(tier blame.Tier, name string) blame.Place { return blame.Place{Tier: tier, Name: name} }

// every makes an incident of each kind, and of each place that changes its sentences.
func every(t *testing.T, w *Writer) []incident.Incident {
	t.Helper()
	drive, _ := w.System.Lookup("1.0.1")
	evidence := func(name, unit string, own, peers, score, threshold float64, scale finding.Scale) finding.Evidence {
		return finding.Evidence{Metric: name, Component: drive, Decides: true, Unit: unit, Own: own, Peers: peers, Score: score, Threshold: threshold, Scale: scale, From: began, To: began + 300}
	}
	ofClient := func(e finding.Evidence) finding.Evidence {
		e.Client = "c3"
		return e
	}
	resource := func(kind finding.Kind, decides finding.Evidence, other finding.Kind, reason finding.Reason, doubt finding.Doubt, next finding.Evidence) incident.Incident {
		next.Decides = false
		return incident.Incident{
			Class: kind.Class(), Kind: kind, Place: at(blame.Server, "fs1"), Evidence: []finding.Evidence{decides, next},
			Members: w.members(t, finding.AtFault, "1.0.1"), RuledOut: []finding.RuledOut{{Kind: other, Reason: reason, Doubt: doubt, Evidence: &next}},
		}
	}
	heals := func(members []finding.Member, name string) incident.Incident {
		in := resource(finding.SystemUpkeep, evidence(name, "B/s", 42e6, 1.5e6, 40.5, 9.1, finding.MegabytesBeyond), finding.WorkloadImbalance, finding.Outweighed, finding.NoDoubt,
			evidence("rxbyt", "B/s", 91e6, 45.6e6, 2, 2, finding.TimesPeers))
		in.Members = members
		return in
	}
	slow := finding.Tally{Odd: 1, Judged: 48}
	loss := evidence("retr_out", "% of segments", 1.4, 0.2, 7, 2, finding.TimesPeersLosses)
	hog := evidence("rd_sec", "sectors/s", 130_000, 75_000, 42.1, 8, finding.PercentOfDrive)
	busy := evidence("await", "ms", 1170, 79, 14.8, 1.5, finding.TimesPeers)
	net := evidence("txbyt", "B/s", 91e6, 45.6e6, 45.4, 9.1, finding.MegabytesBeyond)
	asked := evidence("rd_sec", "sectors/s", 130_000, 75_000, 1.7, 1.3, finding.TimesPeersWork)
	cwnd := evidence("cwnd_in", "segments", 3.2, 28, 0.612, 0.3, finding.Distance)
	imbalance := w.members(t, finding.IsSlow, "1.0.1")
	imbalance[0].Load = 2.98
	stalled := w.members(t, finding.Stalled, "1.0.1", "1.1.2")
	stalled[0].Own = 103_000
	list := []incident.Incident{
		{Class: finding.Path, Kind: finding.SilentServer, Place: at(blame.Server, "fs1"), Members: append(w.members(t, finding.Gone, "1.0.1"), w.members(t, finding.TookOver, "1.0.2")...)},
		{Class: finding.Path, Kind: finding.LostAttachment, Place: at(blame.Controller, "ddn1a"), Elsewhere: finding.Tally{Judged: 40}, Members: append(w.members(t, finding.Gone, "1.0.1", "1.1.2", "1.4.1"), w.members(t, finding.TookOver, "1.0.3", "1.1.3")...)},
		{Class: finding.Path, Kind: finding.LostAttachment, Place: at(blame.Server, "fs1"), Members: append(w.members(t, finding.Unused, "1.0.1", "1.4.1"), w.members(t, finding.TookOver, "1.0.2")...)},
		{Class: finding.Path, Kind: finding.LostAttachment, Place: at(blame.Attachment, "1.0.1"), Members: w.members(t, finding.Gone, "1.0.1")},
		{Class: finding.Path, Kind: finding.LostAttachment, Place: at(blame.LUN, "1.0"), Members: w.members(t, finding.Unused, "1.0.1", "1.0.2")},
		{Class: finding.Slow, Kind: finding.DrawerError, Place: at(blame.Array, "ddn1"), Judged: 8, Elsewhere: slow, Members: w.members(t, finding.IsSlow, "1.0.1", "1.1.2", "1.2.3", "1.3.4", "1.4.1")},
		{Class: finding.Slow, Kind: finding.SharedSlowness, Place: at(blame.Server, "fs1"), Judged: 2, Elsewhere: slow, Members: w.members(t, finding.IsSlow, "1.0.1", "1.4.1"), Metrics: []string{"svctm"}},
		{Class: finding.Slow, Kind: finding.SingleLUN, Place: at(blame.LUN, "1.0"), Elsewhere: slow, Members: w.members(t, finding.IsSlow, "1.0.1")},
		{Class: finding.Slow, Kind: finding.SingleLUN, Place: at(blame.Attachment, "1.0.2"), Members: w.members(t, finding.IsSlow, "1.0.2")},
		{Class: finding.Slow, Kind: finding.SlowDrive, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.IsSlow, "1.0.1")},
		{Class: finding.Slow, Kind: finding.WorkloadImbalance, Place: at(blame.LUN, "1.0"), Members: imbalance},
		{Class: finding.Stall, Kind: finding.StalledRequests, Place: at(blame.Array, "ddn1"), Members: stalled},
		{Class: finding.OwnWork, Kind: finding.ServerIssued, Place: at(blame.Server, "fs1"), Members: w.members(t, finding.Working, "1.1.1", "1.2.1")},
		{Class: finding.Slow, Kind: finding.ArrayUpkeep, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.Checked, "1.0.1")},
		resource(finding.DiskHog, hog, finding.DiskBusy, finding.Outweighed, finding.NoDoubt, busy),
		resource(finding.DiskBusy, busy, finding.PacketLoss, finding.Below, finding.NoDoubt, loss),
		resource(finding.NetworkHog, net, finding.PacketLoss, finding.Doubted, finding.WideWindows, loss),
		resource(finding.PacketLoss, loss, finding.DiskHog, finding.Passed, finding.NoDoubt, hog),
		resource(finding.PacketLoss, cwnd, finding.NetworkHog, finding.Listed, finding.NoDoubt, net),
		resource(finding.WorkloadImbalance, asked, finding.DiskBusy, finding.Doubted, finding.NoBusier, busy),
		{Class: finding.Tail, Kind: finding.SlowTail, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.IsSlow, "1.0.1"), WaitedSeconds: 90, Evidence: []finding.Evidence{
			evidence(finding.SlowRequests, "share", 0.005, 0.00002, 42, 15.6, finding.EvidenceUnits),
			evidence(finding.SlowTime, "ms", 48.2, 3.1, 15.5, 1, finding.TimesPeers),
			evidence(finding.MedianTime, "ms", 2.02, 2, 1.01, 1, finding.TimesPeers),
			evidence(finding.Time99, "ms", 4.9, 4.8, 1.02, 1, finding.TimesPeers),
			evidence(finding.Time999, "ms", 50.1, 3.1, 16.2, 1, finding.TimesPeers),
			evidence(finding.InDevice, "share", 0.93, table.Missing, 0, 0, finding.TimesPeers),
			evidence(finding.CDFDistance, "octaves", 0.02, table.Missing, 0.02, 0, finding.Distance),
		}},
		{Class: finding.Tail, Kind: finding.SlowTail, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.IsSlow, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.SlowRequests, "share", 0.008, 0.003, 18, 15.6, finding.EvidenceUnits),
			evidence(finding.SlowTime, "ms", 14.1, 31.2, 0.45, 1, finding.TimesPeers),
		}},
		{Class: finding.Past, Kind: finding.SlowerThanBefore, Place: at(blame.LUN, "1.0"), Members: w.members(t, finding.IsSlow, "1.0.1"), Nats: 30, WaitedSeconds: 90, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "d", 12.4, table.Missing, 0, 0, 0), evidence(finding.AskedFor, "1/s", 210, 205, 0, 0, 0),
			evidence(metric.AvgRqSz.Name, "sectors", 64, 63.2, 0, 0, 0), evidence(finding.ReadsOfAll, "%", 31, 30, 0, 0, 0),
		}},
		{Class: finding.Past, Kind: finding.SlowerThanBefore, Place: at(blame.Array, "ddn1"), Judged: 2, Elsewhere: finding.Tally{Judged: 24}, Members: w.members(t, finding.IsSlow, "1.0.1", "1.1.2"), Nats: 30, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "d", 28, table.Missing, 0, 0, 0),
		}},
		{Class: finding.Past, Kind: finding.ChangedWorkload, Place: at(blame.LUN, "1.0"), Members: w.members(t, finding.IsSlow, "1.0.1"), Nats: 30, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "d", 12.4, table.Missing, 0, 0, 0), evidence(metric.AvgRqSz.Name, "sectors", 512, 64, 0, 0, 0),
		}},
		{Class: finding.Past, Kind: finding.NoisyNeighbour, Place: at(blame.Array, "ddn1"), Judged: 2, Elsewhere: finding.Tally{Judged: 24}, Members: w.members(t, finding.IsSlow, "1.0.1", "1.1.2"), Nats: 30, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "d", 28, table.Missing, 0, 0, 0), evidence(finding.MoreRequests, "1/s", 820, 205, 0.81, 0, finding.ShareOfRise),
		}},
		{Class: finding.Past, Kind: finding.NoisyNeighbour, Place: at(blame.Array, "ddn1"), Judged: 2, Elsewhere: finding.Tally{Judged: 24}, Members: w.members(t, finding.IsSlow, "1.0.1", "1.1.2"), Nats: 30, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "d", 28, table.Missing, 0, 0, 0), evidence(finding.MoreServerRequests, "1/s", 820, 205, 0.81, 0, finding.ShareOfRise),
		}},
		{Class: finding.Past, Kind: finding.NoisyNeighbour, Place: at(blame.System, "intrepid"), Judged: 2, Members: w.members(t, finding.IsSlow, "1.0.1", "1.1.2"), Nats: 30, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "s", 3450, table.Missing, 0, 0, 0), ofClient(evidence(finding.MoreClientBytes, "MB/s", 12.6, 3.1, 0.92, 0, finding.ShareOfTraffic)),
		}},
		{Class: finding.Past, Kind: finding.NoisyNeighbour, Place: at(blame.System, "intrepid"), Judged: 2, Members: w.members(t, finding.IsSlow, "1.0.1", "1.1.2"), Nats: 30, Evidence: []finding.Evidence{
			evidence(finding.PastTime, "s", 180, table.Missing, 0, 0, 0), ofClient(evidence(finding.MoreClientBytes, "MB/s", 12.6, 0, 0.97, 0, finding.ShareOfTraffic)),
		}},
		{Class: finding.Pause, Kind: finding.Pauses, Place: at(blame.Server, "fs1"), Members: w.members(t, finding.AtFault, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.PauseCount, "", 6, 0, 38.1, 16.4, finding.EvidenceUnits), evidence(finding.PauseWindow, "s", 600, table.Missing, 0, 0, 0),
			evidence(finding.PauseLength, "s", 3.24, table.Missing, 0, 0, 0), evidence(finding.PauseWorst, "s", 8.1, table.Missing, 0, 0, 0),
			evidence(finding.PauseMeasurement(table.ByProcess), "s", 17.4, table.Missing, 0, 0, 0), evidence(finding.PauseMeasurement(table.ByDisk), "s", 2, table.Missing, 0, 0, 0),
		}},
		{Class: finding.Capacity, Kind: finding.FullFileSystem, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.AtFault, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.FreeBytes, "MB", 49_200, 1_296_000, 0.962, 0.95, finding.ShareUsed), evidence(finding.FreeInodes, "", 96218, 96616, 0.004, 0.95, finding.ShareUsed),
			evidence(finding.FullIn, "s", 10_800, table.Missing, 0, 0, finding.ShareUsed),
		}},
		{Class: finding.Capacity, Kind: finding.FullFileSystem, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.AtFault, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.FreeBytes, "MB", 492, 1296, 0.62, 0.95, finding.ShareUsed), evidence(finding.FreeInodes, "", 218, 96616, 0.998, 0.95, finding.ShareUsed),
		}},
		{Class: finding.Capacity, Kind: finding.Throttled, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.AtFault, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.LimitTPS, "1/s", 3001, table.Missing, 15.6, 3, finding.TimesApart), evidence(finding.WaitAtMost, "ms", 14.1, 0.9, 15.6, 3, finding.TimesApart),
		}},
		{Class: finding.Capacity, Kind: finding.Throttled, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.AtFault, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.LimitBytes, "MB/s", 125, table.Missing, 15.6, 3, finding.TimesApart), evidence(finding.WaitAtMost, "ms", 14.1, 0.9, 15.6, 3, finding.TimesApart),
		}},
		{Class: finding.Capacity, Kind: finding.Overheated, Place: at(blame.Drive, "1.0.1"), Members: w.members(t, finding.AtFault, "1.0.1"), Evidence: []finding.Evidence{
			evidence(finding.Heat, "K", 2.5, table.Missing, 2.5, 0, finding.Distance),
		}},
		loaded(w.members(t, finding.AskedMore, "1.0.1"), 5.4, 5.4, 2.3, 2.3),
		loaded(w.members(t, finding.AskedMore, "1.0.1"), 5.4, 4.1, 2.3, 2.3),
		loaded(w.members(t, finding.AskedMore, "1.0.1"), 5.4, 2.3, 2.3, table.Missing),
		heals(w.members(t, finding.Exchanging, "1.0.1", "1.1.2", "1.2.3"), "rxsrv"),
		heals(w.members(t, finding.Exchanging, "1.0.1"), "txsrv"),
	}
	list[13].Also = []incident.SecondFinding{{
		Class: finding.Slow, Kind: finding.SlowDrive, Place: at(blame.Drive, "1.0.1"),
		Onset: finding.Onset{At: began}, Members: w.members(t, finding.IsSlow, "1.0.1"),
	}}
	for i := range list {
		in := &list[i]
		in.ID, in.Onset = fmt.Sprint(i), finding.Onset{At: began, Early: began - 600, Late: began + 300}
		in.Spell, in.Spans = in.Onset, []incident.Span{{From: began}}
		in.Confirmed, in.Last = began+3600, began+7200
		for _, m := range in.Members {
			in.Worst = max(in.Worst, m.Worst)
		}
	}
	return list
}

// in puts an incident into a phase.
func inPhase(in incident.Incident, phase incident.Phase) incident.Incident {
	in.Phase = phase
	in.Members = append([]finding.Member(nil), in.Members...)
	if phase == incident.Recovering || phase == incident.Cleared {
		for i := range in.Members {
			in.Members[i].Odd = false
		}
	}
	if phase == incident.Cleared {
		in.Cleared, in.Ending = in.Last, incident.Recovered
	}
	return in
}

// Every kind in every phase, as an operator reads it.
func TestEveryKindInEveryPhase(t *testing.T) {
	v := siteWriter(t)
	var out strings.Builder
	for _, in := range every(t, v) {
		for _, phase := range []incident.Phase{incident.Pending, incident.Active, incident.Recovering, incident.Cleared} {
			in := inPhase(in, phase)
			fmt.Fprintf(&out, "%s: %s\n  %s.\n", phase, v.Title(&in), v.Headline(&in))
			for _, b := range v.Because(&in) {
				fmt.Fprintf(&out, "  - %s\n", b)
			}
			for _, x := range v.RuledOut(&in) {
				fmt.Fprintf(&out, "  %s\n", &x)
			}
		}
		out.WriteByte('\n')
	}
	name := filepath.Join("testdata", "kinds.txt")
	if *update {
		if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("the sentences changed; see them with go test ./report/sentence -update and git diff\n%s", got)
	}
}

// A kind without sentences would be shown by its name alone.
func TestEveryKindHasWords(t *testing.T) {
	v, told := siteWriter(t), map[finding.Kind]bool{}
	for _, in := range every(t, v) {
		in := inPhase(in, incident.Active)
		told[in.Kind] = true
		if len(v.Because(&in)) == 0 || len(v.RuledOut(&in)) == 0 {
			t.Errorf("%s: Because has %d facts, and RuledOut has %d explanations; each needs one (because.go, ruledout.go)", in.Kind, len(v.Because(&in)), len(v.RuledOut(&in)))
		}
		if text := v.Headline(&in); strings.Contains(text, ": "+string(in.Kind)) || strings.Contains(text, "  ") {
			t.Errorf("%s has no sentence: %q", in.Kind, text)
		}
	}
	for _, k := range finding.Kinds() {
		if Meaning(k) == "" {
			t.Errorf("kind %s has no meaning: add it to kinds in headline.go", k)
		}
		if !told[k] {
			t.Errorf("kind %s is in no test of sentences: add an incident to the list of the function every", k)
		}
	}
}

func TestWhen(t *testing.T) {
	for want, in := range map[string]incident.Incident{
		"since 2011-03-13 09:15Z": {Phase: incident.Active, Onset: finding.Onset{At: began, Early: began, Late: began + 15}},
		"since 2011-03-13 09:15Z ± 10 min, happened 2 times, first on 2011-03-13 09:15Z":    {Phase: incident.Active, Onset: finding.Onset{At: began, Early: began - 600, Late: began}, Spans: make([]incident.Span, 2)},
		"since some time between 2011-03-13 08:15Z and 10:15Z":                              {Phase: incident.Active, Onset: finding.Onset{At: began, Early: began - 3600, Late: began + 3600}},
		"since some time between 2011-03-13 09:14Z and 09:16Z":                              {Phase: incident.Active, Onset: finding.OnsetBetween(began-60, began+60)},
		"since before the start of the data, not judged after 10:15Z":                       {Phase: incident.Active, Onset: finding.OnsetBefore(began), Unjudged: began + 3600},
		"since 2011-03-13 09:15Z, recovering since 10:15Z":                                  {Phase: incident.Recovering, Onset: finding.Onset{At: began, Early: began, Late: began}, Last: began + 3600},
		"from 2011-03-13 09:15Z to 2011-03-14 09:15Z, resolved by an operator":              {Phase: incident.Cleared, Ending: incident.Resolved, Cleared: began + 86400, Onset: finding.Onset{At: began, Early: began, Late: began}},
		"from before the start of the data to 2011-03-13 10:15Z, no longer in the topology": {Phase: incident.Cleared, Ending: incident.Removed, Cleared: began + 3600, Onset: finding.OnsetBefore(began)},
		"since 2011-03-13 09:15:00Z (between 09:14:58Z and 09:15:02Z)":                      {Phase: incident.Active, Class: finding.Resource, Onset: finding.Onset{At: began, Early: began - 2, Late: began + 2}},
		"from 2011-03-13 09:15:00Z to 2011-03-13 09:20:00Z":                                 {Phase: incident.Cleared, Class: finding.Resource, Cleared: began + 300, Onset: finding.Onset{At: began, Early: began, Late: began}},
	} {
		if got := utcVoice.When(&in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTimeSincePause: the ratio of an incident with one component belongs to the time since its last
// pause, so the time of the incident names the end of this pause.
func TestTimeSincePause(t *testing.T) {
	v := siteWriter(t)
	in := incident.Incident{Class: finding.Slow, Kind: finding.SlowDrive, Phase: incident.Active, Place: blame.Place{Tier: blame.Drive, Name: "1.0.1"}}
	start := began - 7*86400
	in.Onset = finding.Onset{At: start, Early: start, Late: start}
	in.Members = v.members(t, finding.IsSlow, "1.0.1")
	for want, since := range map[string]int64{
		"since 2011-03-06 09:15Z":                                start,
		"since 2011-03-06 09:15Z, again since 2011-03-13 09:15Z": began,
	} {
		in.Phase, in.Members[0].Odd, in.Members[0].Since = incident.Active, true, since
		if got := v.When(&in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		in.Phase, in.Cleared = incident.Cleared, began+3600
		if got, want := v.When(&in), "from 2011-03-06 09:15Z to 2011-03-13 10:15Z"; got != want {
			t.Errorf("an incident that is over: %q, want %q", got, want)
		}
	}
	in.Phase, in.Members[0].Since = incident.Active, began
	for _, class := range []finding.Class{finding.Stall, finding.Resource, finding.Imbalance} {
		in.Class = class
		if got := v.When(&in); !strings.HasPrefix(got, "since 2011-03-06 09:15") || strings.Contains(got, "again") {
			t.Errorf("class %s, whose members are present since their evidence: %q, want one time", class, got)
		}
	}
}

// TestPauseWithinAnIncident: the start of an incident is not that of the numbers if the component was
// like its peers for a short time in between. The sentence says so.
func TestPauseWithinAnIncident(t *testing.T) {
	v := siteWriter(t)
	in := incident.Incident{Class: finding.Slow, Kind: finding.SlowDrive, Phase: incident.Active, Place: blame.Place{Tier: blame.Drive, Name: "1.0.1"}}
	in.Onset = finding.Onset{At: began - 7*86400, Early: began - 7*86400, Late: began - 7*86400}
	in.Members = v.members(t, finding.IsSlow, "1.0.1", "1.1.2")
	in.Members[0].Since, in.Members[1].Since = began, began
	if got := v.duringMember(&in, &in.Members[0]); got != "in its last slow period (since 2011-03-13 09:15Z)" {
		t.Errorf("%q", got)
	}
	in.Members[1].Since = in.Onset.At
	if got := v.duringMember(&in, &in.Members[0]); got != "since 2011-03-13 09:15Z" {
		t.Errorf("if another component was slow all the time: %q", got)
	}
}

// TestPeersAtTheLoad: the latency of the peers is said to be at the same load only if the load is the
// same. At another load it is what the peers would have.
func TestPeersAtTheLoad(t *testing.T) {
	v := siteWriter(t)
	for load, want := range map[float64]string{
		1:     "was 57.7 ms at the same load",
		0.585: "would be 57.7 ms at the load of LUN 1.0 through fs1",
		1.2:   "would be 57.7 ms at the load of LUN 1.0 through fs1",
		2.5:   "was 57.7 ms",
	} {
		in := incident.Incident{Class: finding.Slow, Kind: finding.SlowDrive, Phase: incident.Active, Place: blame.Place{Tier: blame.Drive, Name: "1.0.1"}}
		in.Members = v.members(t, finding.IsSlow, "1.0.1")
		m := &in.Members[0]
		m.Load, m.Own, m.Peers = load, 197, 57.7
		if got := v.Because(&in)[0]; !strings.HasSuffix(got, want) {
			t.Errorf("%v times the load: %q, want %q", load, got, want)
		}
	}
}

// TestUnitsOfAComparison: two values that a sentence compares have one unit.
func TestUnitsOfAComparison(t *testing.T) {
	v := siteWriter(t)
	in := incident.Incident{Class: finding.Slow, Kind: finding.SlowDrive, Phase: incident.Active, Place: blame.Place{Tier: blame.Drive, Name: "1.0.1"}}
	in.Members = v.members(t, finding.IsSlow, "1.0.1")
	in.Members[0].Own, in.Members[0].Peers = 0.197, 0.0577
	if got := v.Because(&in)[0]; !strings.Contains(got, "was 197 µs") || !strings.Contains(got, "was 57.7 µs") {
		t.Errorf("%q", got)
	}
}

// TestLossesOfAHealthyNetwork: if the peers lose less than a healthy network may lose, the sentence
// has the share of which the score is a multiple.
func TestLossesOfAHealthyNetwork(t *testing.T) {
	v := siteWriter(t)
	for want, peers := range map[string]float64{
		"its peers: 0.00812 % (20.2 times 0.1 %, which a healthy network may lose, threshold 2)": 0.00812,
		"its peers: 0 % (20.2 times 0.1 %, which a healthy network may lose, threshold 2)":       0,
		"its peers: 0.1 % (20.2 times its peers' losses, threshold 2)":                           0.1,
	} {
		in := incident.Incident{Class: finding.Resource, Kind: finding.PacketLoss, Phase: incident.Active, Place: blame.Place{Tier: blame.Server, Name: "fs1"}}
		in.Members = v.members(t, finding.AtFault, "1.0.1")
		in.Evidence = []finding.Evidence{{
			Metric: "retr_in", Component: in.Members[0].Component, Decides: true, Unit: "% of segments",
			Own: 2.02, Peers: peers, Score: 20.2, Threshold: 2, Scale: finding.TimesPeersLosses,
		}}
		if got := strings.Join(v.Because(&in), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRuledOutWithoutOtherNumbers: if the evidence already has numbers of a metric, an explanation
// that is ruled out has no other numbers of it.
func TestRuledOutWithoutOtherNumbers(t *testing.T) {
	v := siteWriter(t)
	e := finding.Evidence{Metric: "wr_sec", Decides: true, Unit: "MB/s", Own: 3, Peers: 1.75, Score: 40.6, Threshold: 8, Scale: finding.PercentOfDrive}
	other := e
	other.Peers = 1.68
	in := incident.Incident{Class: finding.Resource, Kind: finding.DiskHog, Phase: incident.Active, Place: blame.Place{Tier: blame.Server, Name: "fs1"}}
	in.Members, in.Evidence = v.members(t, finding.AtFault, "1.0.1"), []finding.Evidence{e}
	for want, shown := range map[string]finding.Evidence{
		"Ruled out: workload imbalance (clients did not request the work)":                                                    other,
		"Ruled out: workload imbalance (wr_sec of 1.0.1: 3 MB/s, its peers: 1.75 MB/s, but clients did not request the work)": e,
	} {
		in.Evidence[0].Component, shown.Component = in.Members[0].Component, in.Members[0].Component
		in.RuledOut = []finding.RuledOut{{Kind: finding.WorkloadImbalance, Reason: finding.Doubted, Doubt: finding.NotAsked, Evidence: &shown}}
		if got := v.RuledOut(&in)[0].String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPartNamesNoOtherStart: a part of an incident that may be older than the data does not contradict
// the start of the whole incident.
func TestPartNamesNoOtherStart(t *testing.T) {
	v := siteWriter(t)
	in := incident.Incident{Class: finding.Resource, Kind: finding.DiskBusy, Phase: incident.Active, Place: blame.Place{Tier: blame.Server, Name: "fs1"}}
	in.Onset = finding.Onset{At: began + 600, Early: began + 600, Late: began + 600}
	in.Members = v.members(t, finding.AtFault, "1.0.1")
	in.Also = []incident.SecondFinding{{
		Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: "1.0.1"},
		Onset: finding.OnsetBefore(began), Members: v.members(t, finding.IsSlow, "1.0.1"),
	}}
	got := strings.Join(v.Because(&in), "\n")
	if !strings.Contains(got, "\nin all data, await of LUN 1.0 through fs1 was ") || strings.Contains(got, "start of the data") {
		t.Errorf("%q", got)
	}
}

// TestReturnedProblemHasOneStart: the title and the facts of an incident that came back have the start
// of its present period.
func TestReturnedProblemHasOneStart(t *testing.T) {
	later := began + 10*86400
	for want, onset := range map[string]finding.Onset{
		"since 2011-03-23 09:15Z, happened 2 times, first before the start of the data": finding.OnsetBefore(began),
		"since 2011-03-23 09:15Z, happened 2 times, first on 2011-03-13 09:15Z":         {At: began, Early: began, Late: began},
	} {
		in := incident.Incident{Phase: incident.Active, Onset: onset, Spell: finding.Onset{At: later, Early: later, Late: later}, Spans: make([]incident.Span, 2)}
		if got := utcVoice.When(&in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := utcVoice.during(&in); got != "since 2011-03-23 09:15Z" {
			t.Errorf("the facts begin %q", got)
		}
		in.Spell.Early -= 86400
		if got := utcVoice.during(&in); got != "since the problem came back" {
			t.Errorf("with an unknown start, the facts begin %q", got)
		}
		in.Phase, in.Cleared = incident.Cleared, later+3600
		if got := utcVoice.When(&in); !strings.HasPrefix(got, "from some time between 2011-03-22 09:15Z and 2011-03-23 09:15Z to 2011-03-23 10:15Z, happened 2 times") {
			t.Errorf("an incident that is over: %q", got)
		}
	}
}

func TestTally(t *testing.T) {
	of := func(phases ...incident.Phase) (list []incident.Incident) {
		for _, p := range phases {
			list = append(list, incident.Incident{Phase: p})
		}
		return list
	}
	for _, tt := range []struct {
		list     []incident.Incident
		suspects int
		want     string
	}{
		{nil, 0, "nothing limps"},
		{nil, 1, "0 incidents, 1 suspect"},
		{of(incident.Active), 0, "1 incident"},
		{of(incident.Active, incident.Active, incident.Active, incident.Recovering, incident.Cleared), 1, "3 incidents, 1 suspect, 1 recovering, 1 over"},
		{append(of(incident.Cleared), incident.Incident{Kind: finding.ServerIssued}, incident.Incident{Muted: true, Phase: incident.Cleared}), 0, "nothing limps, 1 over, 1 harmless, 1 muted"},
		{[]incident.Incident{{Kind: finding.ServerIssued}, {Muted: true, Phase: incident.Active}}, 0, "nothing limps that is not muted, 1 harmless, 1 muted"},
		{[]incident.Incident{{Muted: true, Phase: incident.Recovering}}, 0, "nothing limps, 1 muted"},
	} {
		if got := utcVoice.Tally(began, tt.list, tt.suspects); got != "At 2011-03-13 09:15Z: "+tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestMayBe: an incident says what it may be instead.
func TestMayBe(t *testing.T) {
	v := siteWriter(t)
	in := every(t, v)[7]
	in.MayBe = finding.ArrayUpkeep
	for phase, want := range map[incident.Phase]string{
		incident.Active:  "LUN 1.0 answers 2.49 times slower than its peers (between 2.2 and 2.8 times); its array may be rebuilding a drive",
		incident.Cleared: "LUN 1.0 answered 2.49 times slower than its peers (between 2.2 and 2.8 times); its array may have been rebuilding a drive",
	} {
		now := inPhase(in, phase)
		if got := v.Headline(&now); got != want {
			t.Errorf("%s: %s", phase, got)
		}
	}
}

// TestOtherRequests: a drive whose requests differ may be healthy, and the headline says so.
func TestOtherRequests(t *testing.T) {
	v := siteWriter(t)
	in := incident.Incident{
		Class: finding.Resource, Kind: finding.DiskBusy, Phase: incident.Active, MayBe: finding.WorkloadImbalance, Members: []finding.Member{{Component: 0, Role: finding.AtFault}},
		Evidence: []finding.Evidence{
			{Metric: "await", Unit: "ms", Own: 110, Peers: 10, Decides: true},
			{Metric: "avgrq-sz", Unit: "sectors", Own: 256, Peers: 32, Score: 8, Threshold: 2, Scale: finding.TimesApart},
			{Metric: finding.ReadsOfAll, Unit: "%", Own: 80, Peers: 100, Score: 20, Threshold: 10, Scale: finding.PointsApart},
			{Metric: finding.WorkOfDrive, Unit: "%", Own: 120, Peers: 100, Score: 1.2, Threshold: 1.1, Scale: finding.TimesPeersWork},
		},
	}
	name := v.System.Components[0].Name
	if got, want := v.Headline(&in), name+" is slower than its peers (wait: 110 ms, its peers: 10 ms, in the time window with the largest difference); its requests differ from its peers' requests (size of a request: 256 sectors, its peers: 32 sectors;"+
		" share of reads: 80 %, its peers: 100 %; 1.2 times the work of its peers), so the device may be healthy"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if in.MayBe = ""; strings.Contains(v.Headline(&in), "healthy") {
		t.Error(v.Headline(&in))
	}
}

func TestEvents(t *testing.T) {
	v := siteWriter(t)
	in := inPhase(every(t, v)[7], incident.Active)
	in.Comments = []incident.Comment{{Time: began, Text: "ordered a new drive"}}
	for change, want := range map[incident.Change]string{
		incident.Opened:    "2011-03-13 09:15Z new: LUN 1.0 answers 2.49 times slower than its peers (between 2.2 and 2.8 times)",
		incident.Reopened:  "2011-03-13 09:15Z back: LUN 1.0 answers 2.49 times slower than its peers (between 2.2 and 2.8 times)",
		incident.Recovers:  "2011-03-13 09:15Z recovering: LUN 1.0 answers 2.49 times slower than its peers (between 2.2 and 2.8 times)",
		incident.Changed:   "2011-03-13 09:15Z changed: LUN 1.0 answers 2.49 times slower than its peers (between 2.2 and 2.8 times)",
		incident.Commented: "2011-03-13 09:15Z commented: \"ordered a new drive\" on LUN 1.0",
		incident.Mutes:     "2011-03-13 09:15Z muted by an operator: LUN 1.0 answers 2.49 times slower than its peers (between 2.2 and 2.8 times)",
	} {
		if got := v.Event(&incident.Event{Time: began, Change: change, Incident: &in}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	over := inPhase(in, incident.Cleared)
	over.Ending = incident.Resolved
	if got, want := v.Event(&incident.Event{Time: began, Change: incident.Clears, Incident: &over}), "2011-03-13 09:15Z over, resolved by an operator: LUN 1.0 answered 2.49 times slower than its peers (between 2.2 and 2.8 times)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEntriesAndSuspects(t *testing.T) {
	v := siteWriter(t)
	m := metric.Index(v.Schema.Metrics, "await")
	for want, tt := range map[string]struct {
		last    persistence.Verdict
		fades   bool
		trained bool
	}{
		"await: 31.6 ms, its peers: 10.2 ms (3.1 times their value)":                                   {last: persistence.Verdict{Reason: persistence.Differs, Median: 31.6, Peers: 10.2}},
		"await: 31.6 ms, while its peers are idle (in its last window, the component was not suspect)": {last: persistence.Verdict{Reason: persistence.Differs, Median: 31.6}, fades: true},
		"await: 31.6 ms, distance from its peers: 4 (threshold 2)":                                     {last: persistence.Verdict{Reason: persistence.Differs, Median: 31.6, Peers: 10.2, Score: 4, Threshold: 2}, trained: true},
		"no data, while its server and its peers have data":                                            {last: persistence.Verdict{Reason: persistence.Gone}},
	} {
		if got := v.Entry(persistence.Entry{Metric: m, Last: tt.last, Fades: tt.fades}, tt.trained); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := utcVoice.Becomes(&engine.Suspect{ByTime: began}); got != "If the problem continues, this suspect becomes an incident at 2011-03-13 09:15Z." {
		t.Error(got)
	}
	cheap := engine.Suspect{ByTime: began, Incident: incident.Incident{Class: finding.Slow, Nats: 60, Amount: 0.5}}
	cheapVoice := &Writer{System: &topology.System{}, Schema: table.Schema{StepSeconds: 15}}
	const missing = "Chance is ruled out, but for a problem of this size it has not lasted long enough to be an incident. "
	for nats, want := range map[float64]bool{60: true, 5: false} {
		if cheap.Nats = nats; strings.HasPrefix(cheapVoice.Becomes(&cheap), missing) != want {
			t.Errorf("with evidence %g: %s", nats, cheapVoice.Becomes(&cheap))
		}
	}
	if cheap.Nats, cheap.Amount = 60, 1; strings.HasPrefix(cheapVoice.Becomes(&cheap), missing) {
		t.Error("cost is not what is missing:", cheapVoice.Becomes(&cheap))
	}
	if got := utcVoice.Becomes(&engine.Suspect{}); got != "This suspect becomes an incident if the problem continues for long enough." {
		t.Error(got)
	}
}

// loaded is a drive that is asked for four times as much as its peers: of a request some ms
// are from issue to completion, and for some the device is busy; missing where that is not
// known.
func loaded(members []finding.Member, waitMs, deviceMs, peersMs, busyMs float64) incident.Incident {
	members[0].Load = 4
	evidence := func(metric, unit string, own, peers float64, decides bool) finding.Evidence {
		return finding.Evidence{Metric: metric, Component: members[0].Component, Decides: decides, Unit: unit, Own: own, Peers: peers, Score: own / peers, Threshold: 1.25, Scale: finding.TimesPeers}
	}
	known := !table.IsMissing(busyMs)
	list := []finding.Evidence{
		evidence(finding.AskedFor, "1/s", 280, 70, true), evidence(finding.WaitTime, "ms", waitMs, peersMs, true), evidence(finding.DeviceTime, "ms", deviceMs, peersMs, !known),
	}
	if known {
		list = append(list, evidence(finding.BusyTime, "ms", busyMs, peersMs, true))
	}
	return incident.Incident{Class: finding.Load, Kind: finding.WorkloadImbalance, Place: blame.Place{Tier: blame.Drive, Name: "1.0.1"}, Members: members, WaitedSeconds: 90, Evidence: list}
}

// TestSeveralAtOnce: a device that serves several requests at once is busy with each for
// less than one takes. The rest of that is not told as a wait.
func TestSeveralAtOnce(t *testing.T) {
	v := siteWriter(t)
	in := loaded(v.members(t, finding.AskedMore, "1.0.1"), 13, 12, 8, 2)
	in.Phase = incident.Active
	want := "1.0.1 is healthy but gets 4 times the requests of its peers: a request takes 13 ms, including 5 ms of waiting; the device is busy with the request for 2 ms (its peers: 8 ms)"
	if got := v.Headline(&in); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	lines := v.Because(&in)
	if want := "requests wait 1 ms in the kernel's queue, and 4 ms behind each other in the device"; !slices.Contains(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestLoadIsNotRuledOut: what has far more to do than its peers is not said to be slow
// for another reason.
func TestLoadIsNotRuledOut(t *testing.T) {
	v := siteWriter(t)
	for load, want := range map[float64]string{
		0.5:  "Ruled out: workload (0.5 times the load of its peers)",
		1:    "Ruled out: workload (same load as its peers)",
		1.2:  "Ruled out: workload (only 1.2 times the load of its peers)",
		2.5:  "its load is 2.5 times the load of its peers, so the workload may be the cause",
		3606: "its peers are almost idle at the same time, so the workload may be the cause; check the peer groups in the topology file",
	} {
		in := incident.Incident{Class: finding.Slow, Kind: finding.DrawerError, Phase: incident.Active, Place: blame.Place{Tier: blame.Array, Name: "ddn1"}}
		in.Members = v.members(t, finding.IsSlow, "1.0.1", "1.1.2", "1.4.1")
		for i := range in.Members {
			in.Members[i].Load = load
		}
		var said []string
		for _, x := range v.RuledOut(&in) {
			said = append(said, x.String())
		}
		got := strings.Join(append(v.Because(&in), said...), "\n")
		if !strings.Contains(got, want) || strings.Contains(got, "Ruled out: workload") != strings.HasPrefix(want, "Ruled") || strings.Contains(got, "3606") {
			t.Errorf("%v times the load: %s, want %q", load, got, want)
		}
	}
}

// TestAgain: an incident that has come back says how often it was there before.
func TestAgain(t *testing.T) {
	spans := []incident.Span{{From: began, To: began + 3600}, {From: began + 86400, To: began + 90000}, {From: began + 200_000}}
	for n, want := range map[int]string{
		0: "", 1: "", 2: "The problem happened before: from 2011-03-13 09:15Z to 10:15Z.", 3: "The problem happened before, the last time from 2011-03-14 09:15Z to 10:15Z.",
	} {
		if got := utcVoice.Again(&incident.Incident{Class: finding.Slow, Spans: spans[:n]}); got != want {
			t.Errorf("%d spans: %q, want %q", n, got, want)
		}
	}
}

// TestSilentSince: the headline of a silent server has the time of its last data, even if an operator
// resolved the incident later, and the present period begins there.
func TestSilentSince(t *testing.T) {
	w := siteWriter(t)
	const begin, resolved = 1_300_000_000, 1_300_007_200
	at7200 := finding.Onset{At: resolved, Early: resolved, Late: resolved}
	for name, tt := range map[string]struct {
		onset, spell finding.Onset
		since        int64
		want         string
	}{
		"the first period":  {finding.Onset{At: begin, Early: begin, Late: begin + 15}, finding.Onset{At: begin, Early: begin, Late: begin + 15}, begin, "fs1 has sent no data since 2011-03-13 07:06Z"},
		"data in between":   {finding.Onset{At: begin, Early: begin, Late: begin + 15}, finding.Onset{At: begin, Early: begin, Late: begin + 15}, begin + 600, "fs1 has sent no data since 2011-03-13 07:16Z"},
		"resolved":          {at7200, at7200, begin, "fs1 has sent no data since 2011-03-13 07:06Z"},
		"never":             {finding.OnsetBefore(begin), finding.OnsetBefore(begin), begin, "fs1 has sent no data since before the start of the data"},
		"never, resolved":   {finding.OnsetBefore(begin), at7200, begin, "fs1 has sent no data since before the start of the data"},
		"never, then again": {finding.OnsetBefore(begin), finding.OnsetBefore(begin), begin + 600, "fs1 has sent no data since 2011-03-13 07:16Z"},
	} {
		in := incident.Incident{
			Class: finding.Path, Kind: finding.SilentServer, Phase: incident.Active, Place: at(blame.Server, "fs1"), Members: w.members(t, finding.Gone, "1.0.1"),
			Onset: tt.onset, Spell: tt.spell, Spans: []incident.Span{{From: tt.onset.At}, {From: tt.spell.At}},
		}
		in.Members[0].Since, in.Members[0].Odd = tt.since, true
		if got := w.Headline(&in); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestMostServersAreSilent: if most servers are silent, the reason may be one clock or the end of the files.
func TestMostServersAreSilent(t *testing.T) {
	w := siteWriter(t)
	for _, tt := range []struct {
		others finding.Tally
		says   bool
	}{{finding.Tally{}, false}, {finding.Tally{Judged: 7}, false}, {finding.Tally{Odd: 3, Judged: 7}, false}, {finding.Tally{Odd: 6, Judged: 7}, true}} {
		in := incident.Incident{Class: finding.Path, Kind: finding.SilentServer, Phase: incident.Active, Place: at(blame.Server, "fs1"), Elsewhere: tt.others}
		lines := strings.Join(w.Because(&in), "\n")
		if got := strings.Contains(lines, fmt.Sprintf("%d of %d servers send no data at this time", tt.others.Odd+1, tt.others.Judged+1)); got != tt.says {
			t.Errorf("%+v: %s", tt.others, lines)
		}
	}
}
