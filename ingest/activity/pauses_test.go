package activity

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// TestStoodStill: each cause by its sign, and what is no pause.
func TestStoodStill(t *testing.T) {
	type pair struct{ before, now hoststat.Sample }
	full := func(r hoststat.Resource, seconds float64) (p [hoststat.NumResources]hoststat.Pressure) {
		p[r].Full = uint64(seconds * 1e6)
		return p
	}
	stuckDisk := []hoststat.InFlight{{Major: 8, Requests: 3, Still: 1}}
	for name, tt := range map[string]struct {
		pair
		cause   table.Cause
		seconds float64
	}{
		"idle":                            {},
		"busy":                            {pair: pair{now: hoststat.Sample{Completed: 100, InFlight: []hoststat.InFlight{{Major: 8, Requests: 3}}, Accepted: hoststat.Queues{Read: 1e6, Unread: 5000, Waiting: 1, OldestMs: 40}}}},
		"a stuck socket beside others":    {pair: pair{now: hoststat.Sample{Accepted: hoststat.Queues{Read: 1e6, Stuck: 1}}}},
		"nothing is read":                 {pair{now: hoststat.Sample{Completed: 5, Accepted: hoststat.Queues{Stuck: 2, Unread: 9000, OldestMs: 1500}}}, table.ByProcess, 1},
		"a short pause":                   {pair{now: hoststat.Sample{Accepted: hoststat.Queues{Read: 1e6, Unread: 9000, OldestMs: 300}}}, table.ByProcess, 0.3},
		"a connection waits for a disk":   {pair: pair{now: hoststat.Sample{Accepted: hoststat.Queues{Read: 1e6, Unread: 9000, Stuck: 1, OldestMs: 300}}}},
		"disks complete none":             {pair{now: hoststat.Sample{InFlight: stuckDisk, Accepted: hoststat.Queues{Stuck: 1}}}, table.ByDisk, 1},
		"one disk of several is stuck":    {pair: pair{now: hoststat.Sample{InFlight: stuckDisk, Completed: 7}}},
		"a stuck disk beside the network": {pair: pair{now: hoststat.Sample{InFlight: stuckDisk, Accepted: hoststat.Queues{Read: 1e6}}}},
		"late":                            {pair{now: hoststat.Sample{LateMicros: 2.5e6}}, table.ByCPU, 2.5},
		"late for memory":                 {pair{now: hoststat.Sample{LateMicros: 2.5e6, Pressure: full(hoststat.Memory, 2)}}, table.ByMemory, 2.5},
		"late for disks":                  {pair{now: hoststat.Sample{LateMicros: 2.5e6, InFlight: stuckDisk}}, table.ByDisk, 2.5},
		"late, but disks worked":          {pair: pair{hoststat.Sample{Completed: 100}, hoststat.Sample{LateMicros: 2.5e6, Completed: 90}}},
		"late, but clients were served":   {pair: pair{hoststat.Sample{Accepted: hoststat.Queues{Read: 5e6}}, hoststat.Sample{LateMicros: 2.5e6, Accepted: hoststat.Queues{Read: 4e6}}}},
		"late, with half of the work":     {pair{hoststat.Sample{Completed: 100}, hoststat.Sample{LateMicros: 1.1e6, Completed: 50}}, table.ByCPU, 1.1},
		"late, and nothing was known":     {pair{hoststat.Sample{Completed: 3}, hoststat.Sample{LateMicros: 1.1e6, Completed: 3}}, table.ByCPU, 1.1},
		"late as often":                   {pair: pair{now: hoststat.Sample{LateMicros: 90_000}}},
		"memory":                          {pair{now: hoststat.Sample{Pressure: full(hoststat.Memory, 0.8)}}, table.ByMemory, 0.8},
		"some pressure":                   {pair: pair{hoststat.Sample{Pressure: full(hoststat.Memory, 7)}, hoststat.Sample{Pressure: full(hoststat.Memory, 7.2)}}},
		"network":                         {pair{hoststat.Sample{Accepted: hoststat.Queues{Unsent: 9000}}, hoststat.Sample{Accepted: hoststat.Queues{Unsent: 9000}}}, table.ByNetwork, 1},
		"clients that do not read":        {pair: pair{hoststat.Sample{Accepted: hoststat.Queues{Unsent: 9000}}, hoststat.Sample{Accepted: hoststat.Queues{Unsent: 9000, ClosedThere: 1}}}},
	} {
		if cause, seconds := pauseBetween(&tt.before, &tt.now, 1, 1); cause != tt.cause || math.Abs(seconds-tt.seconds) > 1e-9 {
			t.Errorf("%s: %g s by %d, want %g s by %d", name, seconds, cause, tt.seconds, tt.cause)
		}
	}
}

// hostFile writes a file of one server, with a second of waits in each record.
func hostFile(t *testing.T, dir string, seconds int, of func(second int) []byte) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "a.sa"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created, o.Custom = "fs1", midnight, []sysstat.CustomActivity{{ID: hoststat.ID, Size: hoststat.Size}}
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for second := range seconds {
		var disks []sysstat.Disk
		for d := range 3 {
			disks = append(disks, sysstat.Disk{Major: 8, Minor: uint32(16 * d), IOs: uint64(100 + 11*second)})
		}
		at := midnight.Add(time.Duration(second) * time.Second)
		if err := w.WriteStats(at, uint64(360000+100*second), &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: disks, Custom: [][]byte{of(second)}}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStanding: pauses, their length and the room of file systems are in the rows of their time.
func TestStanding(t *testing.T) {
	dir := t.TempDir()
	hostFile(t, dir, 120, func(second int) []byte {
		var s hoststat.Sample
		if second >= 33 && second < 36 {
			s.Accepted = hoststat.Queues{Sockets: 2, Stuck: 1, OldestMs: uint64(1000 * (second - 32))}
		}
		if second == 50 {
			s.FileSystems = []hoststat.FileSystem{
				{Major: 8, Minor: 16, Bytes: 1000, FreeBytes: 500, Mount: "/a"},
				{Major: 8, Minor: 16, Bytes: 100, FreeBytes: 3, Files: 10, FreeFiles: 9, Mount: "/b"},
				{Major: 9, Minor: 9, Bytes: 100, Mount: "/elsewhere"},
			}
			s.Drives = []hoststat.Drive{{Major: 8, Minor: 32, MilliCelsius: 86000, Limit: 85000}}
		}
		return hoststat.Append(nil, &s)
	})
	src, err := Open(context.Background(), []string{dir}, Options{Metrics: []string{"await"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	pauses, seconds, rooms := uint32(0), 0.0, 0
	for {
		row, err := src.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		x := &row.Gauges[0]
		if !x.Known {
			t.Errorf("the row at %d does not know whether the server stood still", row.End)
		}
		if x.Seconds() > 0 && row.End != midnight.Unix()+45 {
			t.Errorf("the server stood still for %g s at %d", x.Seconds(), row.End)
		}
		pauses, seconds, rooms = pauses+x.PausesBegan, seconds+x.Seconds(), rooms+len(x.Drives)
		for _, r := range x.Drives {
			switch name := src.System().Components[r.Component].Name; {
			case strings.HasSuffix(name, "sdb") && (r.Bytes != 100 || r.Free != 3 || r.Files != 10 || !math.IsNaN(r.Hot)),
				strings.HasSuffix(name, "sdc") && (r.Bytes != 0 || r.Hot != 1), strings.HasSuffix(name, "sda"):
				t.Errorf("%s has %+v", name, r)
			}
		}
	}
	if pauses != 1 || seconds != 3.5 || rooms != 2 {
		t.Errorf("%d pauses of %g s together, %d components with room", pauses, seconds, rooms)
	}
}

// TestStandingUnknown: files without waits say nothing, and damaged waits are a warning.
func TestStandingUnknown(t *testing.T) {
	dir := t.TempDir()
	hostFile(t, dir, 120, func(second int) []byte {
		if second < 60 {
			return []byte{7, 3, 0xff, 0xff, 0xff}
		}
		return nil
	})
	src, err := Open(context.Background(), []string{dir}, Options{Metrics: []string{"await"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for {
		if _, err := src.Next(context.Background()); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	found := false
	for _, w := range src.Warnings() {
		found = found || strings.Contains(w.Text, "limpet leaves out the wait times in 60 records of fs1")
	}
	if !found {
		t.Errorf("warnings %v", src.Warnings())
	}
}

// TestStandingOfSadc: files of sadc have pressure and the room of file systems, which belong to
// their disks.
func TestStandingOfSadc(t *testing.T) {
	src, err := Open(context.Background(), []string{"../../record/sysstat/testdata/sa-all"}, Options{Metrics: []string{"await"}, StepSeconds: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	rows, rooms := 0, 0
	for {
		row, err := src.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		x := &row.Gauges[0]
		if rows++; !x.Known || x.Seconds() > 0 {
			t.Errorf("the row at %d has %+v", row.End, x)
		}
		for _, r := range x.Drives {
			rooms++
			// ext4 keeps some bytes for root, so less is free than sar prints as MBfsfree.
			if name := src.System().Components[r.Component].Name; !strings.HasSuffix(name, "vda") || r.Bytes < 250e9 || r.FreeShare() < 0.25 || r.FreeShare() > 0.35 || !math.IsNaN(r.Hot) {
				t.Errorf("%s has %+v", name, r)
			}
		}
	}
	if rows < 2 || rooms < rows {
		t.Errorf("%d rows, %d of them with room", rows, rooms)
	}
}

// TestRecorderStops: a recorder that is stopped and started again is no pause, whatever its sockets
// and disks look like afterwards. Late samples that it reports itself are.
func TestRecorderStops(t *testing.T) {
	d := newDisks("fs1", &topology.System{}, nil, nil)
	read := func(seconds float64, now hoststat.Sample, s *pauseReader, into *table.ServerGauges) {
		s.last, s.sample = s.sample, now
		s.judge(seconds, into)
	}
	unsent := hoststat.Sample{Accepted: hoststat.Queues{Sockets: 9, Unsent: 5000}}
	stuck := hoststat.Sample{InFlight: []hoststat.InFlight{{Major: 8, Requests: 1, Still: 1}}}
	late := hoststat.Sample{LateMicros: 4e6}
	busy := hoststat.Sample{Completed: 100, Accepted: hoststat.Queues{Sockets: 9, Unsent: 5000, Taken: 1e6, Read: 1e6}}
	for name, tt := range map[string]struct {
		before, after hoststat.Sample
		seconds       float64
		want          float64
	}{
		"stopped, with bytes to send": {busy, unsent, 300, 0},
		"stopped, with a stuck disk":  {busy, stuck, 300, 0},
		"stopped in a pause":          {stuck, busy, 300, 1},
		"late":                        {hoststat.Sample{}, late, 5, 4},
		"late, and then in time":      {late, busy, 1, 4},
		"stuck, and then in time":     {stuck, busy, 1, 1.5},
		"in time":                     {busy, stuck, 1, 1},
	} {
		s := newPauseReader(&d, 0)
		var sum table.ServerGauges
		for range 5 {
			read(1, busy, &s, &sum)
		}
		read(1, tt.before, &s, &sum)
		read(tt.seconds, tt.after, &s, &sum)
		if got := sum.Seconds(); math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%s: the server stood still for %g s, want %g", name, got, tt.want)
		}
	}
	// A site that samples more seldom from now on is judged again after some samples.
	s := newPauseReader(&d, 0)
	var sum table.ServerGauges
	for _, seconds := range []float64{1, 1, 1, 15, 15, 15, 15, 15} {
		read(seconds, busy, &s, &sum)
	}
	if read(15, stuck, &s, &sum); sum.Seconds() != 15 {
		t.Errorf("after a change of the interval: %g s", sum.Seconds())
	}
}
