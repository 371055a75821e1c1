package testbed

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/finding"
)

// TestTruthRoundTrip: what is noted is what is read.
func TestTruthRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), TruthFile)
	begin := time.Date(2026, 11, 15, 17, 21, 37, 0, time.UTC)
	for i := range blockRuns {
		r := GlusterFS.Draw(1, i)
		if err := StartTruth(path, GlusterFS); err != nil { // again and again, as a run that is taken up
			t.Fatal(err)
		}
		if err := AddTruth(path, &r, begin, begin.Add(r.During)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ParseTruth(path, data)
	if err != nil || len(all) != blockRuns {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	for i, got := range all {
		r := GlusterFS.Draw(1, i)
		if got.Run != r.Name || got.Fault != r.Fault || got.Workload != r.Workload || got.Server != r.ServerName() {
			t.Errorf("%+v is read as %+v", r, got)
		}
		if r.Fault != None && (!got.Begin.Equal(begin) || !got.End.Equal(begin.Add(r.During))) {
			t.Errorf("%s lasts from %v to %v", r.Name, got.Begin, got.End)
		}
	}
}

// TestNoisyClientTruth: the truth of a run with a noisy client names the client.
func TestNoisyClientTruth(t *testing.T) {
	path := filepath.Join(t.TempDir(), TruthFile)
	r := GlusterFS.DrawOf(5, 0, []Fault{NoisyClient})
	begin := time.Date(2026, 11, 15, 17, 21, 37, 0, time.UTC)
	if err := errors.Join(StartTruth(path, GlusterFS), AddTruth(path, &r, begin, begin.Add(r.During))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := ParseTruth(path, data); err != nil || len(all) != 1 || all[0].Server != r.ClientName() || !all[0].Fault.ByClient() {
		t.Errorf("%+v is read as %+v, %v", r, all, err)
	}
}

// TestCephTruth: the truth of a run of Ceph names the OSD.
func TestCephTruth(t *testing.T) {
	path := filepath.Join(t.TempDir(), TruthFile)
	if err := StartTruth(path, Ceph); err != nil {
		t.Fatal(err)
	}
	begin := time.Date(2026, 11, 15, 17, 21, 37, 0, time.UTC)
	for i := range blockRuns {
		r := Ceph.Draw(1, i)
		if err := AddTruth(path, &r, begin, begin.Add(r.During)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ParseTruth(path, data)
	if err != nil || len(all) != blockRuns {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	for i, got := range all {
		r := Ceph.Draw(1, i)
		if got.System != Ceph || got.OSD != r.OSDName() || got.Server != r.ServerName() || got.Fault != r.Fault {
			t.Errorf("%+v is read as %+v", r, got)
		}
	}
}

func TestTruthMistakes(t *testing.T) {
	const header = "run,fault,server,begin,end\n"
	for text, want := range map[string]string{
		"":                       "file t.csv is empty",
		"run,fault,server\n":     "t.csv:1: the column begin is missing",
		header + "a,none,,\n":    "wrong number of fields",
		header + "a,quake,,,\n":  `t.csv:2: the fault "quake" is unknown`,
		header + "../a,none,,,":  `t.csv:2: run "../a" is not a directory: give the name`,
		header + "a,hang,,,\n":   "t.csv:2: fault hang has no server",
		header + "a,hang,s1,,\n": `t.csv:2: the value "" of column begin is not a time`,
		header + "a,hang,s1,2026-11-15T17:21:37Z,5\n": `t.csv:2: the value "5" of column end is not a time`,
		header + "a,none,,,\na,none,,,\n":             "t.csv:3: run a is listed twice: remove one of the lines",
	} {
		_, err := ParseTruth("t.csv", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParseTruth(f *testing.F) {
	f.Add([]byte("run,fault,server,begin,end\na,none,,,\nb,hang,s1,2026-11-15T17:21:37Z,2026-11-15T17:24:37Z\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := ParseTruth("t.csv", data)
		if err != nil {
			return
		}
		for _, r := range all {
			if r.Run == "" || r.Fault != None && r.Server == "" {
				t.Errorf("%+v is no truth", r)
			}
		}
	})
}

// TestObservable: loss shows where data flow its way (F10 §11), a harmless event
// is nothing to be found, and everything else shows.
func TestObservable(t *testing.T) {
	for _, c := range []struct {
		fault    Fault
		workload Workload
		want     bool
	}{
		{LossRecv, DDW, true},
		{LossRecv, DDR, false},
		{LossSend, DDR, true},
		{LossSend, DDW, false},
		{LossSend, PostMark, false},
		{LossSend, Fio, true},
		{LossRecv, Fio, true},
		{DiskBusyR, DDR, true},
		{None, DDW, false},
		{SelfHeal, DDW, false},
		{NetHogR, DDW, true},
	} {
		if got := c.fault.Observable(c.workload); got != c.want {
			t.Errorf("%s under %s: %v", c.fault, c.workload, got)
		}
	}
}

// TestKinds: every fault of F10 has the cause that the paper gives it.
func TestKinds(t *testing.T) {
	for f, want := range map[Fault]finding.Kind{
		DiskHogR: finding.DiskHog, DiskHogW: finding.DiskHog, DiskBusyR: finding.DiskBusy, DiskBusyW: finding.DiskBusy,
		NetHogR: finding.NetworkHog, NetHogW: finding.NetworkHog, LossRecv: finding.PacketLoss, LossSend: finding.PacketLoss,
	} {
		if kinds := f.Kinds(); len(kinds) == 0 || kinds[0] != want || !f.OfF10() {
			t.Errorf("%s is %v, want %s of F10", f, kinds, want)
		}
	}
}
