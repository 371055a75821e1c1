package sentence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// remarkBegan is when the data of these tests begin.
var remarkBegan = time.Date(2011, 3, 13, 9, 15, 0, 0, time.UTC).Unix()

// writerOf returns the writer for a topology.
func writerOf(t *testing.T, yaml string) *Writer {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	o := engine.DefaultOptions()
	return New(s, table.Schema{StepSeconds: 15, Metrics: metric.All(), Components: len(s.Components)}, &o)
}

// plainWriter returns the writer for eight servers with two arrays.
func plainWriter(t *testing.T) *Writer {
	t.Helper()
	return writerOf(t, `
servers: fs[1-8]
arrays:
  - names: ddn[1-2]
    servers_per_array: 4
    luns: 0-7
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-i]
`)
}

// bare speaks of what the files show.
var bare = &Writer{Schema: table.Schema{StepSeconds: 15}}

func TestRemarks(t *testing.T) {
	got := strings.Join(Remarks(bare, &engine.Summary{
		From: remarkBegan, To: remarkBegan + 7200,
		Silent: []engine.Silence{{Server: "fs9"}, {Server: "fs3", Since: remarkBegan}, {Server: "fs10"}, {Server: "fs11"}},
		Apart:  []engine.Presence{{Server: "fs6", From: remarkBegan, To: remarkBegan + 3600}},
		Idle:   []engine.Idleness{{Server: "fs4", From: remarkBegan, To: remarkBegan + 600, Times: 1}, {Server: "fs5", From: remarkBegan, To: remarkBegan + 7200, Times: 3, Seconds: 900}},
		Lacks: []engine.Lack{
			{Question: engine.Servers, Resource: engine.Interfaces},
			{Question: engine.Servers, Resource: engine.Interfaces},
			{Question: engine.Servers, Resource: engine.ConnectionsIn},
			{Question: engine.Servers, Resource: engine.Fineness, Whole: true},
			{Question: engine.Components, Resource: engine.Disks, Whole: true},
			{Question: engine.Servers, Resource: engine.Peers, Whole: true},
		},
		Unlike: []finding.Symptom{finding.Sends},
		Skews:  []engine.Skew{{Server: "fs1", Seconds: 5}, {Server: "fs2", Seconds: -7}, {}},
	}), "\n")
	want := `fs6 has data from 2011-03-13 09:15:00Z to 10:15:00Z, but no other server has data of the same period, so this server could not be compared. Give files of the same period.
There are no data of fs[9-11].
There are no data of fs3 after 2011-03-13 09:15Z.
fs4 was idle from 2011-03-13 09:15:00Z to 09:25:00Z while other servers were busy, so limpet did not judge this server in this time.
fs5 was idle 3 times between 2011-03-13 09:15:00Z and 11:15:00Z, 15 min in all, while other servers were busy, so limpet did not judge this server in this time.
These files contain no data about network interfaces, so network faults cannot be seen.
These files contain no data about connections from clients to servers, so packet loss on the way to servers cannot be seen.
The interval between records is too long (a record every few seconds is needed), so faults of a server's disk or network cannot be seen.
These files contain no data about disks, so slow components cannot be seen.
Fewer than three members of a peer group can be compared, so faults of a server's disk or network cannot be seen.
The clock of fs1 is about 5 s ahead of the clocks of the other servers: synchronise this clock. Times of this server in the report may be wrong by as much.
The clock of fs2 is about 7 s behind the clocks of the other servers: synchronise this clock. Times of this server in the report may be wrong by as much.
The clocks of half of the servers differ by seconds from the clocks of the other half. The data do not show which clocks are right: synchronise all clocks.
Half of the servers have more sent traffic, so limpet names no faulty server. Name the peers of each server in a topology file.`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	var idle []engine.Idleness
	for i := range 6 {
		idle = append(idle, engine.Idleness{Server: fmt.Sprintf("fs%d", i+1)})
	}
	if got := Idle(bare, idle); len(got) != 1 || !strings.HasSuffix(got[0], "did not judge these servers while they were idle: fs[1-6].") {
		t.Errorf("many idle servers: %q", got)
	}
}

func TestNothing(t *testing.T) {
	v := plainWriter(t)
	for want, tt := range map[string]struct {
		s      engine.Summary
		judged int
		reason persistence.Reason
	}{
		"Nothing could be judged: there are no data. A verdict needs 30 min of data of at least three members of a peer group.":                                                                                                                                                                   {},
		"The data are too short for a verdict: the data span only 12 min (2011-03-13 09:15:00Z to 09:27:00Z). A complete verdict needs 30 min of data, so it is possible from this time on: 2011-03-13 09:45Z. For a component that is many times slower than its peers, limpet needs less data.": {s: engine.Summary{From: remarkBegan, To: remarkBegan + 720, Heard: 8}},
		"Nothing could be judged: the whole group is idle. Only 1 of 8 servers has data.":                                                                                                                                                                                                         {s: engine.Summary{From: remarkBegan, To: remarkBegan + 7200, Heard: 1}, reason: persistence.GroupIdle},
		"Nothing could be judged: a verdict needs data of at least three members of a peer group.":                                                                                                                                                                                                {s: engine.Summary{From: remarkBegan, To: remarkBegan + 7200, Heard: 8}},
		"At 2011-03-13 09:25Z: nothing limps. None of the 8 servers differed from its peers for long enough.":                                                                                                                                                                                     {s: engine.Summary{From: remarkBegan, To: remarkBegan + 600, Heard: 8, Examined: 9}},
		"At 2011-03-13 11:15Z: only 3 of 64 components could be judged, and none of the judged components limps. The others were not judged; the most frequent reason: too few samples to judge.":                                                                                                 {s: engine.Summary{From: remarkBegan, To: remarkBegan + 7200, Heard: 8}, judged: 3, reason: persistence.TooFewData},
		"At 2011-03-13 11:15Z: nothing limps. 60 of 64 components were judged, and no component differed from its peers for long enough.":                                                                                                                                                         {s: engine.Summary{From: remarkBegan, To: remarkBegan + 7200, Heard: 8}, judged: 60},
	} {
		if got, _ := Nothing(v, &tt.s, 1800, tt.judged, tt.reason); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTopologyNamesNone: what a topology leaves out is not said to lack in the files.
func TestTopologyNamesNone(t *testing.T) {
	lacks := []engine.Lack{
		{Question: engine.Servers, Resource: engine.Interfaces},
		{Question: engine.Servers, Resource: engine.Interfaces, Whole: true},
		{Question: engine.Servers, Resource: engine.ConnectionsIn},
	}
	const drives = "servers: fs[1-3]\ndrives:\n  - devices: sd[a-d]\n    peers: all\n"
	for yaml, want := range map[string]string{
		drives: `The topology site.yaml lists no interfaces, so network faults cannot be seen. Add the setting "interfaces" to the topology file, or run without a topology: limpet then finds the interfaces in the files.
Skipped: the check of servers' disks and networks, because the topology site.yaml lists no interfaces. Add the setting "interfaces" to the topology file, or run without a topology: limpet then finds the interfaces in the files.
The topology site.yaml lists no hosts, so packet loss on the way to servers cannot be seen. Add the setting "hosts" to the topology file, or run without a topology: limpet then finds the hosts in the files.`,
		drives + "interfaces:\n  - names: eth0\nhosts: fs[1-3]\n": `These files contain no data about network interfaces, so network faults cannot be seen.
Skipped: the check of servers' disks and networks. This check needs files with the network interfaces of at least three servers, with a record every few seconds.
These files contain no data about connections from clients to servers, so packet loss on the way to servers cannot be seen.`,
	} {
		if got := strings.Join(Lacks(writerOf(t, yaml), lacks), "\n"); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestNothingTogether: servers whose data are of different times are not silent; nothing
// can be compared, and it is said whose data are of when.
func TestNothingTogether(t *testing.T) {
	s := engine.Summary{From: remarkBegan, To: remarkBegan + 365*86400, Heard: 2, Apart: []engine.Presence{
		{Server: "fs1", From: remarkBegan, To: remarkBegan + 3600}, {Server: "fs2", From: remarkBegan + 365*86400 - 3600, To: remarkBegan + 365*86400},
	}}
	want := "Nothing could be compared, because no two servers have data of the same period. fs1 has data from 2011-03-13 09:15:00Z to 10:15:00Z, fs2 has data from 2012-03-12 08:15:00Z to 09:15:00Z. Give files of the same period."
	if got, _ := Nothing(plainWriter(t), &s, 1350, 0, persistence.TooFewData); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUnusableDataAreNotCalledMissing: a server that has data which limpet cannot use is not said to
// have no data. The sentence states which of the reasons it is.
func TestUnusableDataAreNotCalledMissing(t *testing.T) {
	v := writerOf(t, "servers: vm\ndrives:\n  - devices: vda\n    peers: all\n")
	const why = "the records of vm cover 4 s, less than one time step of 15 s: record for a longer time"
	const needs = " A verdict needs 22 min 30 s of data of at least three members of a peer group. Without three similar components, limpet compares each component with its own past, and needs more than two days of data."
	for reason, want := range map[string]string{
		"":  "Nothing could be judged: there are no data of vm." + needs,
		why: "Nothing could be judged: " + why + "." + needs,
	} {
		if got, _ := Nothing(v, &engine.Summary{Silent: []engine.Silence{{Server: "vm", Why: reason}}}, 1350, 0, persistence.NoReason); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	got := Silences(v, []engine.Silence{{Server: "fs1"}, {Server: "vm", Why: why}, {Server: "fs2", Why: why}})
	if want := []string{"There are no data of fs1: add its files, or remove this server from site.yaml.", "The records of vm cover 4 s, less than one time step of 15 s: record for a longer time."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyServersAreNamedInOneLine: a sentence about hundreds of servers has the first names and the
// number of the others.
func TestManyServersAreNamedInOneLine(t *testing.T) {
	var list []engine.Silence
	for i := range 252 {
		list = append(list, engine.Silence{Server: fmt.Sprintf("10.100.100.%d@o2ib1", i)})
	}
	for _, text := range Silences(bare, list) {
		if len(text) > 200 || !strings.Contains(text, "10.100.100.4@o2ib1 and 247 more") {
			t.Errorf("%d bytes: %s", len(text), text)
		}
	}
}
