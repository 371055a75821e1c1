package evaluate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/topology"
)

var began = time.Unix(1_000_000, 0)

func system(t *testing.T) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("t.yaml", []byte("name: t\nservers: s[1-6]\n\ndrives:\n  - servers: s[1-6]\n    devices: sdb\n    peers: all\n\nhosts: s[1-6]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// found is an incident at a server, so many seconds after the fault began.
func found(server string, kind finding.Kind, after int64) incident.Incident {
	at := began.Unix() + after
	return incident.Incident{
		Class: finding.Resource, Kind: kind, Place: blame.Place{Tier: blame.Server, Name: server}, Confirmed: at + 100,
		Onset: finding.Onset{At: at, Early: at - 1, Late: at + 1},
	}
}

// onDrive is one at a drive, by the component that shows it.
func onDrive(t *testing.T, s *topology.System, name string) incident.Incident {
	t.Helper()
	c, ok := s.Lookup(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	in := found(name, finding.SlowDrive, 3)
	in.Place = blame.Place{Tier: blame.Drive, Name: name}
	in.Members = []finding.Member{{Component: c}}
	return in
}

// TestExperimentsJudge goes through what can be said of a run, and which of F10's rates it
// counts for.
func TestExperimentsJudge(t *testing.T) {
	s := system(t)
	early := found("s2", finding.DiskBusy, -50)
	early.Confirmed = began.Unix() - 1
	own := found("s4", finding.ServerIssued, 0)
	for name, c := range map[string]struct {
		fault testbed.Fault
		said  []incident.Incident
		want  string // of ITP, IFP, DTP, DFP those that it counts for
	}{
		"right":                 {testbed.DiskBusyW, []incident.Incident{found("s2", finding.DiskBusy, 1)}, "ITP DTP"},
		"right, by its drive":   {testbed.DiskSlow, []incident.Incident{onDrive(t, s, "s2/sdb")}, "ITP DTP"},
		"missed":                {testbed.LossRecv, nil, ""},
		"wrong cause":           {testbed.LossRecv, []incident.Incident{found("s2", finding.DiskHog, 1)}, "ITP DFP"},
		"wrong server":          {testbed.LossRecv, []incident.Incident{found("s3", finding.PacketLoss, 1)}, "IFP DFP"},
		"right and wrong":       {testbed.NetHogR, []incident.Incident{found("s2", finding.NetworkHog, 1), found("s3", finding.DiskBusy, 1)}, "ITP IFP DTP DFP"},
		"before it began":       {testbed.DiskBusyW, []incident.Incident{early}, "IFP DFP"},
		"full, as lost packets": {testbed.DiskFull, []incident.Incident{found("s2", finding.PacketLoss, 1)}, "ITP DFP"},
		"full":                  {testbed.DiskFull, []incident.Incident{found("s2", finding.FullFileSystem, 1)}, "ITP DTP"},
		"hangs":                 {testbed.Hang, []incident.Incident{found("s2", finding.Pauses, 1)}, "ITP DTP"},
		"control":               {testbed.None, nil, ""},
		"control, accused":      {testbed.None, []incident.Incident{found("s2", finding.DiskBusy, 1)}, "IFP DFP"},
		"control, harmless":     {testbed.None, []incident.Incident{own}, ""},
		"mended, said of it":    {testbed.SelfHeal, []incident.Incident{found("s2", finding.DiskHog, 1)}, ""},
		"mended, said of other": {testbed.SelfHeal, []incident.Incident{found("s5", finding.DiskHog, 1)}, "IFP DFP"},
	} {
		truth := testbed.Truth{Run: name, Fault: c.fault}
		if c.fault != testbed.None {
			truth.Server, truth.Begin, truth.End = "s2", began, began.Add(3*time.Minute)
		}
		o, err := judged(&truth, s, c.said)
		if err != nil {
			t.Fatal(err)
		}
		var is []string
		for rate := range numRates {
			if o.Is(rate) {
				is = append(is, rate.String())
			}
		}
		if got := strings.Join(is, " "); got != c.want {
			t.Errorf("%s: counts for %q, want %q", name, got, c.want)
		}
	}
	if _, err := judged(&testbed.Truth{Fault: testbed.Hang, Server: "s9"}, s, nil); err == nil {
		t.Error("a server that there is not is taken")
	}
}

// TestNoisyClientJudge: an incident that names the client of the truth is right, and one that names
// another client or a server is not.
func TestNoisyClientJudge(t *testing.T) {
	s := system(t)
	named := func(client string) incident.Incident {
		in := onDrive(t, s, "s2/sdb")
		in.Kind, in.Evidence = finding.NoisyNeighbour, []finding.Evidence{{Metric: finding.MoreClientBytes, Client: client}}
		return in
	}
	for want, in := range map[string]incident.Incident{"c3 noisy-client": named("c3"), "c5 noisy neighbour": named("c5"), "s2 disk-busy": found("s2", finding.DiskBusy, 1)} {
		o, err := judged(&testbed.Truth{Fault: testbed.NoisyClient, Server: "c3", Begin: began, End: began.Add(3 * time.Minute)}, s, []incident.Incident{in})
		if err != nil || o.accusations() != want || o.Is(dtp) != (want == "c3 noisy-client") || o.Is(ifp) == o.Is(itp) {
			t.Errorf("%v, %s, want %s", err, o.accusations(), want)
		}
	}
}

// TestOnset: near the truth, far from it, and said to be unknown.
func TestOnset(t *testing.T) {
	near, far, wide, aside := found("s2", finding.DiskBusy, 12), found("s2", finding.DiskBusy, -40), found("s2", finding.DiskBusy, -40), found("s2", finding.DiskBusy, 60)
	wide.Onset.Late = began.Unix() + 5
	aside.Onset.Late += 100 // an interval that the fault did not begin in
	var runs []ExperimentsOutcome
	for _, in := range []incident.Incident{near, far, wide, aside} {
		runs = append(runs, ExperimentsOutcome{Onsets: []Onset{onsetOf(&in, began)}})
	}
	got := onsetsOf(runs)
	if want := (onsets{known: 3, near: 1, unknown: 1, median: 40}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestReport holds the text of a small result against what it was when it was
// read.
func TestReport(t *testing.T) {
	s := system(t)
	r := &ExperimentsResult{Name: "bench"}
	for _, c := range []struct {
		truth testbed.Truth
		said  []incident.Incident
	}{
		{testbed.Truth{Run: "a", Fault: testbed.None, Workload: testbed.DDR}, nil},
		{testbed.Truth{Run: "b", Fault: testbed.None, Workload: testbed.DDW}, []incident.Incident{found("s4", finding.DiskBusy, 1)}},
		{testbed.Truth{Run: "c", Fault: testbed.LossSend, Workload: testbed.DDW, Server: "s2", Begin: began, Strength: "2"}, nil},
		{testbed.Truth{Run: "d", Fault: testbed.DiskHogR, Workload: testbed.DDR, Server: "s2", Begin: began}, []incident.Incident{found("s2", finding.DiskHog, 4)}},
		{testbed.Truth{Run: "e", Fault: testbed.Hang, Workload: testbed.Fio, Server: "s2", Begin: began}, []incident.Incident{found("s2", finding.DiskBusy, 70)}},
	} {
		o, err := judged(&c.truth, s, c.said)
		if err != nil {
			t.Fatal(err)
		}
		r.Runs = append(r.Runs, *o)
	}
	published, err := ReadPublished()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := r.Report(published).Text(&got); err != nil {
		t.Fatal(err)
	}
	if err := r.Report(published).CSV(&got); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s%v", got.String(), want, err)
	}
}

// judged is the outcome of a run whose hosts were diagnosed.
func judged(t *testbed.Truth, system *topology.System, incidents []incident.Incident) (*ExperimentsOutcome, error) {
	o := newExperimentsOutcome(t)
	return o, o.judge(t, &diagnosedRun{system: system, incidents: incidents}, nil)
}

// TestRightName: what is said of a service is right if its disk or its daemon is at fault, and not if its
// network is. Who says that the daemon is slow is wrong about a disk.
func TestRightName(t *testing.T) {
	for _, c := range []struct {
		fault testbed.Fault
		kind  string
		want  bool
	}{
		{testbed.DiskDelay, slowService, true},
		{testbed.DaemonSlow, slowService, true},
		{testbed.Hang, slowDaemon, true},
		{testbed.DiskDelay, slowDaemon, false},
		{testbed.LossSend, slowService, false},
		{testbed.DiskDelay, string(finding.SlowDrive), true},
		{testbed.DaemonSlow, string(finding.DiskHog), false},
	} {
		if got := rightName(c.fault, c.kind); got != c.want {
			t.Errorf("%s for %s: %v", c.kind, c.fault, got)
		}
	}
}

// TestServices: an incident of a service counts by what is said of it, and not by its kind; an incident
// that is explained accuses nobody again. The times are those of the first accusation that is right
// about the server.
func TestServices(t *testing.T) {
	system := &topology.System{Servers: []string{"s1"}, Components: []topology.Component{{Name: "osd.0", Server: "s1"}}}
	began := time.Unix(1_000_000, 0)
	truth := testbed.Truth{Run: "a", Fault: testbed.DiskHogR, Server: "s1", Begin: began, End: began.Add(time.Minute)}
	list := []incident.Incident{{
		Kind: finding.SlowDrive, Class: finding.Slow, Members: []finding.Member{{Component: 0}},
		Suspected: began.Unix() + 20, Confirmed: began.Unix() + 50, Onset: finding.Onset{At: began.Unix()},
	}}
	for kind, want := range map[string]bool{slowService: true, slowDaemon: false} {
		o := newExperimentsOutcome(&truth)
		if err := o.judge(&truth, &diagnosedRun{system: system, incidents: list}, func(*incident.Incident) (string, bool) { return kind, true }); err != nil {
			t.Fatal(err)
		}
		if !o.Is(itp) || o.Is(dtp) != want || o.SuspectSeconds != 20 || o.IncidentSeconds != 50 {
			t.Errorf("%s: %+v", kind, o)
		}
	}
	o := newExperimentsOutcome(&truth)
	if err := o.judge(&truth, &diagnosedRun{system: system, incidents: list}, func(*incident.Incident) (string, bool) { return "", false }); err != nil || len(o.Indicted) > 0 {
		t.Errorf("an incident that is explained: %+v, %v", o, err)
	}
}
