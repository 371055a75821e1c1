package testbed

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDrawLoop: the loop has ten faults, ten runs without a fault, two slow OSDs on two servers, and a
// pool with two copies. All clients write, with objects that are small enough.
func TestDrawLoop(t *testing.T) {
	for seed := range uint64(20) {
		faults, controls := 0, 0
		for i := range LoopRuns() {
			r := DrawLoop(seed, i)
			if !reflect.DeepEqual(r, DrawLoop(seed, i)) {
				t.Fatalf("run %d of seed %d is drawn in two ways", i, seed)
			}
			if r.Workload != RadosWrite || max(r.Ceph.ObjectKB, r.Ceph.OtherKB) > 64 || r.Duration() > 11*time.Minute {
				t.Errorf("%s: %+v", r.Name, r)
			}
			if r.Fault.Harmless() {
				controls++
			} else {
				faults++
			}
			if r.Volume == Dispersed && r.Ceph.OSDs() <= 6 {
				t.Errorf("%s: Ceph cannot store the data of an OSD elsewhere", r.Name)
			}
			if last := i == LoopRuns()-1; last != (r.Volume == Mirrored) {
				t.Errorf("%s has the volume %s", r.Name, r.Volume)
			}
			if r.Fault == TwoDelays && (len(r.Disks()) != 2 || r.OtherServer() == r.ServerName() || r.OtherServer() == "") {
				t.Errorf("%s hits %v of %s and %s", r.Name, r.Disks(), r.ServerName(), r.OtherServer())
			}
		}
		if faults != 12 || controls != 10 {
			t.Errorf("seed %d: %d faults and %d runs without one", seed, faults, controls)
		}
	}
}

// TestLoopMeasure: a cluster writes 100 times a second, 10 times during a fault, and 90 times after an
// action. A moment in which it writes faster is no recovery.
func TestLoopMeasure(t *testing.T) {
	begin := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	counts := func(rate func(second int) float64) []Rate {
		var all []Rate
		total := 0.0
		for second := -120; second <= 360; second += 5 {
			all = append(all, Rate{At: begin.Add(time.Duration(second) * time.Second), Writes: total})
			total += 5 * rate(second)
		}
		return all
	}
	end := begin.Add(360 * time.Second)
	var l LoopResult
	l.Measure(counts(func(second int) float64 {
		switch {
		case second < 0:
			return 100
		case second >= 60 && second < 70:
			return 100
		case second < 200:
			return 10
		}
		return 90
	}), begin, end)
	if math.Abs(l.Before-100) > 1e-9 || math.Abs(l.Lowest-10) > 1e-9 || math.Abs(l.Last-90) > 1e-9 || l.Recovered < 190*time.Second || l.Recovered > 200*time.Second {
		t.Errorf("%+v", l)
	}
	l = LoopResult{}
	l.Measure(counts(func(int) float64 { return 100 }), begin, end)
	if l.Recovered >= 0 || math.Abs(l.Lowest-100) > 1e-9 {
		t.Errorf("without a fault: %+v", l)
	}
	l = LoopResult{}
	l.Measure(counts(func(second int) float64 {
		if second < 0 {
			return 100
		}
		return 70
	}), begin, end)
	if l.Recovered >= 0 {
		t.Errorf("a cluster that stays slow recovered after %v", l.Recovered)
	}
}

// TestLoopEvents: only incidents and actions about the OSD of the fault, after its start, are right.
func TestLoopEvents(t *testing.T) {
	r := DrawLoop(7, 0)
	l := LoopResult{Run: &r, Incident: -1, Action: -1}
	l.NoteIncident(r.OSDName(), "too early", -time.Second)
	l.NoteIncident("osd.99", "another", time.Minute)
	l.NoteIncident(r.OSDName(), "right", 2*time.Minute)
	l.NoteAction(r.OSDName(), "waits", -time.Hour, false)
	l.NoteAction("osd.99", "out osd.99", time.Minute, true)
	l.NoteAction(r.OSDName(), "out", 3*time.Minute, true)
	if l.Incident != 2*time.Minute || l.Action != 3*time.Minute || !slices.Equal(l.Wrong, []string{"too early", "another", "out osd.99"}) || len(l.Actions) != 3 {
		t.Errorf("%+v", l)
	}
	control := DrawLoop(7, 1)
	l = LoopResult{Run: &control, Incident: -1, Action: -1}
	if l.NoteAction("osd.1", "out", time.Minute, true); l.Action >= 0 || len(l.Wrong) != 1 {
		t.Errorf("without a fault: %+v", l)
	}
}

// TestLoopFile: results are added line by line, and the names of runs are found again.
func TestLoopFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), LoopFile)
	if names, err := LoopNames(path); err != nil || names != nil {
		t.Fatalf("%v, %v", names, err)
	}
	var want []string
	for i := range 2 {
		r := DrawLoop(7, i)
		want = append(want, r.Name)
		l := LoopResult{Run: &r, Before: 290, Lowest: 7, Last: 168, Incident: 114 * time.Second, Action: -1, Recovered: -1, Actions: []string{"ceph osd out osd.2: helped"}}
		if err := AddLoop(path, &l); err != nil {
			t.Fatal(err)
		}
	}
	names, err := LoopNames(path)
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v, want %v", names, err, want)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), ",290.0,7.0,168.0,114,,,ceph osd out osd.2: helped,,\n") {
		t.Errorf("%v:\n%s", err, text)
	}
}
