package sadf

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// installed is the version of the sadf at hand.
func installed(t testing.TB) sysstat.Version {
	t.Helper()
	if _, err := exec.LookPath("sadf"); err != nil {
		t.Skip("sadf of sysstat is not installed")
	}
	out, _ := exec.Command("sadf", "-V").Output()
	var v sysstat.Version
	if _, err := fmt.Sscanf(string(out), "sysstat version %d.%d.%d", &v.Major, &v.Patch, &v.Sub); err != nil {
		t.Skipf("sadf -V says %q", out)
	}
	if !v.AtLeast(12, 2, 0) {
		t.Skipf("sadf is of sysstat %v, 12.2.0 is needed", v)
	}
	return v
}

// run is what a tool of sysstat prints.
func run(t testing.TB, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=GMT", "S_COLORS=never")
	out, err := cmd.Output()
	return string(out), err
}

// writeDay writes a file with everything that a recorder may do.
func writeDay(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sa14")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opts := dayOptions()
	w, err := sysstat.NewWriter(f, opts)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		at := opts.Created.Add(time.Duration(i) * time.Second)
		switch i {
		case 0, 20:
			check(w.WriteRestart(at, 2))
			for _, line := range (sysstat.Device{Major: 8, Name: "sda", Model: "a disk of some maker"}).Comments() {
				check(w.WriteComment(at, line))
			}
		}
		check(w.WriteStats(at, uint64(500+101*(i%20)), daySample(uint64(i%20))))
	}
	return path
}

func dayOptions() sysstat.WriterOptions {
	opts := sysstat.DefaultWriterOptions()
	opts.Hostname, opts.Release, opts.CPUs = "store-1", "6.1.0", 2
	opts.Created = time.Date(2024, 2, 29, 12, 0, 0, 0, time.FixedZone("CET", 3600))
	opts.Custom = []sysstat.CustomActivity{{ID: 4711, Size: 40}}
	return opts
}

func daySample(i uint64) *sysstat.Sample {
	s := &sysstat.Sample{
		CPUs: []sysstat.CPU{{}, {User: 100 + 30*i, System: 7 * i, Idle: 1000 + 61*i, Guest: 2 * i}, {Nice: 5 * i, IOWait: 95 * i, Idle: 9}},
		Interfaces: []sysstat.Interface{
			{Name: "lo", RxBytes: 33 * i, TxBytes: 33 * i, RxPackets: i, TxPackets: i},
			{Name: "eth0", RxBytes: 123456 * i, TxBytes: 77 * i * i, Multicast: i / 3, SpeedMbit: 1000, Duplex: sysstat.HalfDuplex},
		},
		InterfaceErrors: []sysstat.InterfaceErrors{{Name: "lo"}, {Name: "eth0", RxDropped: i * i, RxErrors: i / 2, TxFIFO: 3 * i}},
		TCP:             sysstat.TCP{ActiveOpens: 3 * i, PassiveOpens: i, InSegs: 1000 * i, OutSegs: 1234 * i},
		TCPErrors:       sysstat.TCPErrors{RetransSegs: i * i, OutRsts: 2},
		Custom:          [][]byte{make([]byte, 40*(i%4))},
	}
	for k := range 5 + uint32(i)%4 { // some come and go
		n := uint64(k+1) * i
		s.Disks = append(s.Disks, sysstat.Disk{
			Major: 8, Minor: 16 * k, IOs: 1 + 17*n, ReadSectors: 64 * n * n, WriteSectors: 800 * n, DiscardSectors: n,
			ReadTicks: uint32(30 * n), WriteTicks: uint32(7*n*n) - 100, BusyTicks: uint32(91 * n), QueueTicks: uint32(1000 * n),
		})
	}
	return s
}

// What sysstat prints of a file that was written here is what we print.
func TestWrittenIsReadBySadf(t *testing.T) {
	version := installed(t)
	path := writeDay(t)
	for _, r := range reports {
		t.Run(r.suffix, func(t *testing.T) {
			want, err := run(t, "sadf", append([]string{"-d", path, "--"}, r.args...)...)
			if err != nil || strings.Count(want, "\n") < 40 {
				t.Fatalf("sadf: %v, %q", err, want)
			}
			diff(t, dump(t, path, Options{Report: r.report, As: version}), want)
		})
	}
}

// TestComments: they stand where sadf has them.
func TestComments(t *testing.T) {
	version := installed(t)
	path := writeDay(t)
	want, err := run(t, "sadf", "-d", "-C", path, "--", "-d")
	if err != nil || strings.Count(want, ";COM dev 8:0=sda") != 2 {
		t.Fatalf("sadf: %v, %q", err, want)
	}
	diff(t, dump(t, path, Options{Report: Disks, As: version, Comments: true}), want)
}

func TestWrittenIsReadBySar(t *testing.T) {
	installed(t)
	if _, err := exec.LookPath("sar"); err != nil {
		t.Skip("sar of sysstat is not installed")
	}
	path := writeDay(t)
	for _, c := range []struct {
		args []string
		want string // in the output
	}{
		{[]string{"-d"}, "sda"},
		{[]string{"-n", "DEV"}, "eth0"},
		{[]string{"-n", "TCP"}, "active/s"},
		{[]string{"-C", "-u"}, "COM dev 8:0=sda"},
	} {
		out, err := run(t, "sar", append([]string{"-f", path}, c.args...)...)
		if err != nil || !strings.Contains(out, c.want) || !strings.Contains(out, "(store-1)") || !strings.Contains(out, "Average:") {
			t.Errorf("sar %v: %v\n%s", c.args, err, out)
		}
	}
}
