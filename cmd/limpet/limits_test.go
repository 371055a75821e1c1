package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// waitsDir writes a quarter of an hour of four file servers with two drives each, as limpet record writes it. The
// function changes the waits of a server in a second, and says whether there is a record.
func waitsDir(t *testing.T, change func(server, second int, s *hoststat.Sample) bool) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	begin := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for server := range 4 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("fs%d-20260301T080000Z.sa", server+1)))
		if err != nil {
			t.Fatal(err)
		}
		o := sysstat.DefaultWriterOptions()
		o.Hostname, o.Created, o.Custom = fmt.Sprintf("fs%d", server+1), begin, []sysstat.CustomActivity{{ID: hoststat.ID, Size: hoststat.Size}}
		w, err := sysstat.NewWriter(f, o)
		if err != nil {
			t.Fatal(err)
		}
		disks := []sysstat.Disk{{Major: 8, Minor: 0}, {Major: 8, Minor: 16}}
		for second := range 900 {
			s := hoststat.Sample{LateMicros: uint64(rng.IntN(2000)), Accepted: hoststat.Queues{Sockets: 8, Read: 1e6, Taken: 1e6, Unsent: 3000}}
			for d := range disks {
				n := 80 + rng.Uint64N(40)
				disks[d].IOs += n
				disks[d].ReadSectors += 64 * n
				disks[d].ReadTicks += uint32(5 * n)
				disks[d].BusyTicks += 300
				disks[d].QueueTicks += uint32(5 * n)
				s.Completed += n
			}
			if second%10 == 0 {
				s.FileSystems = []hoststat.FileSystem{{Major: 8, Minor: 16, Bytes: 1e12, FreeBytes: 4e11, Files: 1e6, FreeFiles: 9e5, Mount: "/b"}}
			}
			if !change(server, second, &s) {
				continue
			}
			at := begin.Add(time.Duration(second) * time.Second)
			if err := w.WriteStats(at, uint64(360000+100*second), &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: disks, Custom: [][]byte{hoststat.Append(nil, &s)}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestWaits: what recorders saw from inside is told by limpet diagnose, as sentences and as JSON; what only looks
// alike is not.
func TestWaits(t *testing.T) {
	whole := func(int, int, *hoststat.Sample) bool { return true }
	for name, tt := range map[string]struct {
		change func(server, second int, s *hoststat.Sample) bool
		want   []string // lines of text; none: nothing limps
		kind   string
	}{
		"healthy": {change: whole},
		"a process": {
			func(server, second int, s *hoststat.Sample) bool {
				if server == 1 && second >= 300 && second%30 < 3 {
					s.Accepted = hoststat.Queues{Sockets: 8, Unread: 90_000, Waiting: 8, Stuck: 8, OldestMs: uint64(1000 * (second%30 + 1))}
				}
				return true
			},
			[]string{
				"server fs2: pauses, since 2026-03-01 08:04:45Z (between 08:04:30Z and 08:05:00Z)",
				"fs2 pauses again and again: 20 pauses in 10 min, 3.5 s each on average and 3.5 s at most; cause: a process did not read the requests of clients.",
			},
			"pauses",
		},
		"memory": {
			func(server, second int, s *hoststat.Sample) bool {
				if server == 1 && second >= 300 {
					s.Pressure[hoststat.Memory].Full = uint64(900_000 * ((second - 300) / 15)) // 0.9 s in one second of every fifteen
				}
				return true
			},
			[]string{"server fs2: pauses", "cause: all tasks waited for memory"},
			"pauses",
		},
		"a file system": {
			func(server, second int, s *hoststat.Sample) bool {
				for i := range s.FileSystems {
					if server == 2 {
						s.FileSystems[i].FreeBytes = uint64(max(2e10, 4e11-1e9*float64(second)))
					}
				}
				return true
			},
			[]string{"drive fs3/sdb: full file system", "fs3/sdb has a file system that is nearly full: 20 GB of 1000 GB are free"},
			"full file system",
		},
		"all at once": {change: func(_, second int, s *hoststat.Sample) bool {
			if second%30 == 7 {
				s.LateMicros, s.Completed, s.Accepted.Read = 2e6, 0, 0
			}
			return true
		}},
		"a recorder that is started again and again": {change: func(server, second int, s *hoststat.Sample) bool {
			if second%40 >= 30 && server == 1 {
				return false // the recorder does not run
			}
			if second%40 == 0 && server == 1 { // its first sample knows nothing of the time before
				s.Accepted.Read, s.Accepted.Taken, s.Completed = 0, 0, 0
			}
			return true
		}},
		"a recorder that waits for a processor": {change: func(server, second int, s *hoststat.Sample) bool {
			if server == 1 && second%30 == 7 {
				s.LateMicros = 1.5e6
			}
			return true
		}},
	} {
		dir := waitsDir(t, tt.change)
		var text, errs bytes.Buffer
		if code := run(t.Context(), []string{"diagnose", dir}, nil, &text, &errs); code != 0 {
			t.Fatalf("%s: exit %d: %s", name, code, errs.String())
		}
		for _, line := range tt.want {
			if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), line) {
				t.Errorf("%s: no %q in\n%s", name, line, text.String())
			}
		}
		if !strings.Contains(text.String(), ": 1 incident") && tt.kind != "" || tt.kind == "" && strings.Contains(text.String(), " incident") {
			t.Errorf("%s:\n%s", name, text.String())
		}
		var out bytes.Buffer
		if code := run(t.Context(), []string{"diagnose", "--format", "json", dir}, nil, &out, &errs); code != 0 {
			t.Fatalf("%s: exit %d: %s", name, code, errs.String())
		}
		var document struct {
			Incidents []struct{ Class, Kind string }
		}
		if err := json.Unmarshal(out.Bytes(), &document); err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, in := range document.Incidents {
			kinds = append(kinds, in.Kind)
		}
		if want := slices.DeleteFunc([]string{tt.kind}, func(s string) bool { return s == "" }); !slices.Equal(kinds, want) {
			t.Errorf("%s: JSON has %v, want %v", name, kinds, want)
		}
	}
}

// TestRoomOfTables: a table with the room of file systems tells the one that is filling, and no other.
func TestRoomOfTables(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 4))
	var csv, tables strings.Builder
	csv.WriteString("ts,host,disk,latency,load,size,avail\n")
	for minute := range 120 {
		for drive := range 8 {
			free := 600
			switch drive {
			case 5: // fills
				free = max(30, 500-10*minute)
			case 6: // was filled long ago
				free = 40
			}
			fmt.Fprintf(&csv, "%d,h%d,sd%c,%.1f,%.1f,1000,%d\n", 1767225600+60*minute, drive/4+1, 'a'+drive%4, 90+20*rng.Float64(), 90+20*rng.Float64(), free)
		}
	}
	tables.WriteString("time: ts\ncomponent: \"{host}/{disk}\"\ngroup: {text: all}\nserver: host\ndevice: disk\n")
	tables.WriteString("metrics:\n  latency: {unit: us, worse: higher}\n  load: {unit: 1/s, worse: either, load: true}\nroom: {bytes: size, free: avail, unit: GB}\n")
	for name, text := range map[string]string{"drives.csv": csv.String(), "drives.yaml": tables.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"diagnose", "--tables", filepath.Join(dir, "drives.yaml"), filepath.Join(dir, "drives.csv")}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	for _, line := range []string{": 1 incident.", "drive h2/sdb: full file system", "h2/sdb has a file system that is nearly full: 30 GB of 1000 GB are free"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in\n%s", line, out.String())
		}
	}
}
