package activity

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest"
)

// TestCoarseServerSetsTheStep: a server with longer intervals than the others is judged. The step
// becomes as long as its interval, within bounds.
func TestCoarseServerSetsTheStep(t *testing.T) {
	for name, tt := range map[string]struct {
		options       Options
		usual, coarse int // seconds between records of three servers, and of a fourth
		step          int64
		warned        string
		unused        []string // servers without data that limpet can use
	}{
		"four times":       {Options{}, 15, 60, 60, "the interval between records is up to 60 s on fs4, and the median interval of all servers is 15 s: limpet uses time steps of 60 s, so that it can judge all of these servers. A verdict takes 4 times as long as with time steps of 15 s. To get verdicts sooner, record a sample at least every 15 s on fs4", nil},
		"records of 1 s":   {Options{}, 1, 30, 30, "the interval between records is up to 30 s on fs4, and the median interval of all servers is 1 s: limpet uses time steps of 30 s", nil},
		"too coarse":       {Options{}, 15, 600, 15, "the interval between records of fs4 is up to 600 s, longer than the time step of 15 s, so limpet does not judge this server; record a sample at least every 15 s, or choose a time step of 600 s (--step 600", []string{"fs4"}},
		"the step is set":  {Options{StepSeconds: 15}, 15, 60, 15, "the interval between records of fs4 is up to 60 s, longer than the time step of 15 s, so limpet does not judge this server", []string{"fs4"}},
		"check of servers": {Options{Finest: 1}, 1, 4, 1, "the interval between records of fs4 is up to 4 s, longer than the time step of 1 s, so limpet does not judge this server", []string{"fs4"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 3 {
				record(t, dir, fmt.Sprintf("fs%d.sa", i+1), fmt.Sprintf("fs%d", i+1), midnight, 3).run(6000, tt.usual, 20, 7)
			}
			record(t, dir, "fs4.sa", "fs4", midnight, 3).run(6000, tt.coarse, 20, 7)
			rows, a := activityRows(t, dir, tt.options)
			if step := a.Schema().StepSeconds; step != tt.step || len(rows["fs1/sda"]) < 90 {
				t.Errorf("steps of %d s, %d rows of fs1; want steps of %d s", step, len(rows["fs1/sda"]), tt.step)
			}
			var unused []string
			for _, w := range a.Warnings() {
				unused = append(unused, w.Servers...)
			}
			if !slices.Equal(unused, tt.unused) || (len(rows["fs4/sda"]) > 0) != (tt.unused == nil) {
				t.Errorf("%d rows of fs4, unused data of %v, want of %v", len(rows["fs4/sda"]), unused, tt.unused)
			}
			if len(a.Warnings()) != 1 || !activityWarned(a, tt.warned) {
				t.Errorf("warnings %v, want %s", a.Warnings(), tt.warned)
			}
		})
	}
}

// TestOnlyServersSetTheStep: machines that the topology does not have, and machines without disks,
// do not make the step longer.
func TestOnlyServersSetTheStep(t *testing.T) {
	for _, coarse := range []hostFiles{{Name: "client1", Interval: 60, Disks: true}, {Name: "fs9", Interval: 60}} {
		a := &plan{}
		if coarse.Name == "client1" {
			a.System = system(t, "servers: fs[1-2]\ndrives:\n  - devices: sda\n    peers: all\n")
		}
		list := []hostFiles{{Name: "fs1", Interval: 15, Disks: true}, {Name: "fs2", Interval: 15, Disks: true}, coarse}
		if step := a.chooseStep(0, 15, list); step != 15 {
			t.Errorf("%s: steps of %d s", coarse.Name, step)
		}
	}
}

// TestFollowingTellsOfACoarseServer: a running diagnosis says of a server that it does not judge the
// server, and why. It does not say that the server sends no data.
func TestFollowingTellsOfACoarseServer(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		record(t, dir, fmt.Sprintf("fs%d.sa", i+1), fmt.Sprintf("fs%d", i+1), midnight, 3).run(6000, 15, 20, 7)
	}
	record(t, dir, "fs4.sa", "fs4", midnight, 3).run(6000, 600, 20, 7)
	f, err := Follow(t.Context(), []string{dir}, Options{Metrics: []string{"await"}}, FollowOptions{Once: true, Now: func() time.Time { return midnight.Add(2 * time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err = nil; err == nil || errors.Is(err, ingest.ErrChanged); {
		_, err = f.Next(t.Context())
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	const want = "the interval between records of fs4 is up to 600 s, longer than the time step of 15 s, so limpet does not judge this server; record a sample"
	p := f.Progress()
	if !strings.HasPrefix(p.Coarse, want) {
		t.Errorf("progress: %q, want %q", p.Coarse, want)
	}
	for _, m := range p.Machines {
		if coarse := m.Name == "fs4"; coarse != (m.Coarse == 600) || coarse != strings.HasPrefix(m.Trouble, want) {
			t.Errorf("%+v", m)
		}
	}
	warned := func() bool {
		return slices.ContainsFunc(f.Warnings(), func(w ingest.Warning) bool {
			return strings.HasPrefix(w.Text, want) && slices.Equal(w.Servers, []string{"fs4"})
		})
	}
	// While the files are being checked, Warnings returns its last list.
	for end := time.Now().Add(10 * time.Second); !warned(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("warnings %v", f.Warnings())
		}
	}
}

// TestJitterOfIntervals: an interval that is longer by the jitter of a timer is not longer, and the
// sentence about servers with longer intervals has the numbers of these servers.
func TestJitterOfIntervals(t *testing.T) {
	for _, tt := range []struct {
		intervals []int64
		step      int64
		warned    string
	}{
		{[]int64{600, 600, 600, 601}, 600, "the interval between records is 600 s, so limpet uses time steps of the same length"},
		{[]int64{15, 15, 15, 16}, 15, ""},
		{[]int64{15, 15, 15, 61}, 60, "the interval between records is up to 60 s on fs4, and the median interval of all servers is 15 s: limpet uses time steps of 60 s"},
		{[]int64{15, 20, 30, 30, 30, 40, 60}, 60, "the interval between records is up to 60 s on fs[6-7], and the median interval of all servers is 30 s: limpet uses time steps of 60 s, so that it can judge all of these servers. A verdict takes 2 times as long"},
	} {
		a := &plan{}
		var list []hostFiles
		for i, seconds := range tt.intervals {
			interval := medianGap([]int64{seconds, seconds, seconds})
			list = append(list, hostFiles{Name: fmt.Sprintf("fs%d", i+1), Interval: interval, Coarsest: interval, Disks: true})
		}
		step := a.chooseStep(0, 15, list)
		if step != tt.step || len(a.Warned) > 1 || (len(a.Warned) == 1) != (tt.warned != "") || len(a.Warned) == 1 && !strings.HasPrefix(a.Warned[0].Text, tt.warned) {
			t.Errorf("%v: a step of %d s, warnings %v", tt.intervals, step, a.Warned)
		}
	}
	var g gaps
	for i := range 100 {
		g.add(int64(598 + i%5))
		if i >= leastIntervals-1 && g.steady != 600 {
			t.Fatalf("after %d intervals, the usual interval is %d s", i+1, g.steady)
		}
	}
}

// TestServerWithTwoIntervals: a server that has long intervals at some times only is judged at the
// other times. A warning says so, whether the long intervals come first or last.
func TestServerWithTwoIntervals(t *testing.T) {
	for name, tt := range map[string]struct {
		first, then int // seconds between records
		warned      string
	}{
		"long intervals first": {600, 15, "the interval between some records of fs4 is up to 600 s, longer than the time step of 15 s: limpet cannot judge periods that have only such records; to judge these periods too, use --step 600"},
		"long intervals last":  {15, 600, "so limpet does not judge this server; it judged fs4 until 2026-03-01 03:20:00Z; record a sample"},
	} {
		dir := t.TempDir()
		for i := range 3 {
			record(t, dir, fmt.Sprintf("fs%d.sa", i+1), fmt.Sprintf("fs%d", i+1), midnight, 3).run(24000, 15, 20, 7)
		}
		r := record(t, dir, "fs4.sa", "fs4", midnight, 3)
		r.run(12000, tt.first, 20, 7)
		r.run(12000, tt.then, 20, 7)
		rows, a := activityRows(t, dir, Options{})
		if len(rows["fs4/sda"]) < 700 || len(a.Warnings()) != 1 || !activityWarned(a, tt.warned) {
			t.Errorf("%s: %d rows of fs4, warnings %v", name, len(rows["fs4/sda"]), a.Warnings())
		}
	}
}
