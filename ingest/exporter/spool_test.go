package exporter

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/lab/faultfs"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

func at(text string) time.Time {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return t
}

// reading returns a reading of a server whose disk has done n I/Os.
func reading(server string, t time.Time, n uint64) *Reading {
	return &Reading{
		Server: server, Time: t, Uptime: uint64(t.Unix()-1_700_000_000) * 100,
		Devices: []sysstat.Device{{Major: 4096, Minor: 1, Name: "weird"}, {Major: 8, Minor: 0, Name: "sda", Model: "ST16000"}},
		Sample: sysstat.Sample{
			Disks:      []sysstat.Disk{{Major: 8, Minor: 0, IOs: n, ReadSectors: 8 * n, ReadTicks: uint32(n)}, {Major: 4096, Minor: 1, IOs: 1}},
			Interfaces: []sysstat.Interface{{Name: "eth0", RxBytes: n}},
		},
	}
}

func open(t testing.TB, dir string) *Spool {
	t.Helper()
	s, err := Open(dir, DefaultSpoolOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t testing.TB, s *Spool, r *Reading) {
	t.Helper()
	if err := s.Write(r); err != nil {
		t.Fatal(err)
	}
}

// names returns the files of a directory that are not hidden.
func names(t testing.TB, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name()[0] != '.' {
			list = append(list, e.Name())
		}
	}
	return list
}

// seen returns the records of a server: restarts, and the I/Os of its first
// disk.
func seen(t testing.TB, dir, server string) (list []string) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, server+"-*.sa"))
	slices.Sort(paths)
	r, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		switch rec.Type {
		case sysstat.Restart:
			list = append(list, "restart")
		case sysstat.Stats:
			list = append(list, fmt.Sprint(rec.Disks(nil)[0].IOs))
		}
	}
	for _, w := range r.Warnings() {
		t.Error(w)
	}
	return list
}

func want(t testing.TB, got []string, lines ...string) {
	t.Helper()
	if !slices.Equal(got, lines) {
		t.Errorf("%q, not %q", got, lines)
	}
}

// TestDays: each server has one file a day, named by its first second. After a
// restart the file is continued, without a repeated record.
func TestDays(t *testing.T) {
	dir := t.TempDir()
	begin := at("2026-03-01 23:59:15")
	s := open(t, dir)
	for i := range 6 {
		write(t, s, reading("fs1", begin.Add(time.Duration(i)*15*time.Second), uint64(i+1)))
	}
	write(t, s, reading("fs2", begin, 1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	r := reading("fs1", begin.Add(90*time.Second), 3)
	r.Restarted, r.Uptime = true, 100
	write(t, s, r)
	s.Close()
	want(t, names(t, dir), "fs1-20260301T235915Z.sa", "fs1-20260302T000000Z.sa", "fs2-20260301T235915Z.sa")
	want(t, seen(t, dir, "fs1"), "1", "2", "3", "4", "5", "6", "restart", "3")
}

// TestRecall: the files have all that is known about a server, also the numbers
// that limpet gave to devices.
func TestRecall(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	begin := at("2026-03-01 12:00:00")
	r := reading("fs1", begin, 1)
	r.Connections = true
	r.Sample.Custom = [][]byte{tcpstat.Append(nil, &tcpstat.Peer{Sockets: 1})}
	r.Addresses = nil
	write(t, s, r)
	r.Time, r.Uptime = begin.Add(15*time.Second), r.Uptime+1500
	write(t, s, r)
	s.Close()
	m, err := open(t, dir).Recall("fs1")
	if err != nil {
		t.Fatal(err)
	}
	if !m.Time.Equal(r.Time) || m.Uptime != r.Uptime || !m.Connections || len(m.Disks) != 2 || len(m.Interfaces) != 1 {
		t.Errorf("%+v", m)
	}
	if len(m.Devices) != 2 || m.Devices[1].Name != "weird" || m.Devices[1].Minor != 1 || m.Devices[0].Model != "ST16000" {
		t.Errorf("%+v", m.Devices)
	}
}

// TestConnectionsBegin: a file without an activity for connections is not
// continued where there are some.
func TestConnectionsBegin(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	begin := at("2026-03-01 12:00:00")
	write(t, s, reading("fs1", begin, 1))
	write(t, s, reading("fs1", begin.Add(15*time.Second), 2))
	r := reading("fs1", begin.Add(30*time.Second), 3)
	r.Connections = true
	write(t, s, r)
	r = reading("fs1", begin.Add(45*time.Second), 4)
	r.Connections = true
	write(t, s, r)
	s.Close()
	want(t, names(t, dir), "fs1-20260301T120000Z.sa", "fs1-20260301T120030Z.sa")
	want(t, seen(t, dir, "fs1"), "1", "2", "3", "4")
}

// TestTorn: half a record at the end is cut off, and so are zeros.
func TestTorn(t *testing.T) {
	for _, rest := range []string{"", "zeros", "half"} {
		dir := t.TempDir()
		s := open(t, dir)
		begin := at("2026-03-01 12:00:00")
		for i := range 5 {
			write(t, s, reading("fs1", begin.Add(time.Duration(i)*15*time.Second), uint64(i+1)))
		}
		s.Close()
		path := filepath.Join(dir, "fs1-20260301T120000Z.sa")
		text, _ := os.ReadFile(path)
		switch rest {
		case "half":
			text = append(text, text[len(text)-200:len(text)-90]...)
		case "zeros":
			text = append(text, make([]byte, 4096)...)
		}
		os.WriteFile(path, text, 0o644)
		s = open(t, dir)
		for i := range 3 {
			write(t, s, reading("fs1", begin.Add(time.Duration(5+i)*15*time.Second), uint64(i+6)))
		}
		s.Close()
		want(t, seen(t, dir, "fs1"), "1", "2", "3", "4", "5", "6", "7", "8")
		want(t, names(t, dir), "fs1-20260301T120000Z.sa")
	}
}

// TestSadf: sysstat's own sadf reads the files.
func TestSadf(t *testing.T) {
	sadf, err := exec.LookPath("sadf")
	if err != nil {
		t.Skip("sadf is not installed")
	}
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 3 {
		r := reading("fs1", at("2026-03-01 12:00:00").Add(time.Duration(i)*15*time.Second), uint64(150*i+1))
		r.Connections = true
		write(t, s, r)
	}
	s.Close()
	out, err := exec.Command(sadf, "-d", filepath.Join(dir, names(t, dir)[0]), "--", "-d").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "fs1;15;2026-03-01 12:00:30 UTC;") || !strings.Contains(string(out), ";10.00;") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestMoved: a file that was moved away is not written any more.
func TestMoved(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	begin := at("2026-03-01 12:00:00")
	write(t, s, reading("fs1", begin, 1))
	os.Rename(filepath.Join(dir, names(t, dir)[0]), filepath.Join(t.TempDir(), "away"))
	write(t, s, reading("fs1", begin.Add(15*time.Second), 2))
	want(t, names(t, dir), "fs1-20260301T120015Z.sa")
}

// TestNames: no name leads out of the directory.
func TestNames(t *testing.T) {
	s := open(t, t.TempDir())
	for _, name := range []string{"../fs1", "a/b", "", ".x", strings.Repeat("a", 65), "a\x00b", "a\x1b[2J"} {
		if err := s.Write(reading(name, at("2026-03-01 12:00:00"), 1)); err == nil {
			t.Errorf("%q was taken", name)
		}
		if _, err := s.Recall(name); err == nil {
			t.Errorf("%q was recalled", name)
		}
	}
}

// TestSecondProcess: two processes cannot write into one directory.
func TestSecondProcess(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	if _, err := Open(dir, DefaultSpoolOptions()); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Error(err)
	}
}

// TestRetain: old files are removed, except the one that is being written.
func TestRetain(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for day := range 10 {
		write(t, s, reading("fs1", at("2026-03-01 12:00:00").AddDate(0, 0, day), uint64(day+1)))
	}
	os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644)
	if err := s.Retain(at("2026-03-10 13:00:00")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 9 || got[0] != "fs1-20260303T120000Z.sa" || got[8] != "notes.txt" {
		t.Error(got)
	}
	write(t, s, reading("fs1", at("2026-03-10 13:00:00"), 20))
	if err := s.Retain(at("2027-03-10 13:00:00")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 9 {
		t.Errorf("a clock that is a year ahead leaves %q", got)
	}
}

// TestSpoolClockSetBack: after a clock was a year ahead, readings are written
// into a file of their own day.
func TestSpoolClockSetBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for i, when := range []string{"2026-03-01 12:00:00", "2027-03-01 12:00:15", "2026-03-01 12:00:30"} {
		write(t, s, reading("fs1", at(when), uint64(i+1)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"fs1-20260301T120000Z.sa", "fs1-20260301T120030Z.sa", "fs1-20270301T120015Z.sa"}) {
		t.Error(got)
	}
}

// TestFaults: a full or failing disk leaves no half records, and readings can
// be written again afterwards.
func TestFaults(t *testing.T) {
	f := faultfs.Mount(t)
	s := open(t, f.Dir)
	begin := at("2026-03-01 12:00:00")
	n := 0
	next := func() *Reading {
		n++
		return reading("fs1", begin.Add(time.Duration(n)*15*time.Second), uint64(n))
	}
	write(t, s, next())
	for _, rule := range []string{"write *.sa: enospc", "write *.sa from 3: enospc", "write *.sa: eio"} {
		r := next()
		r.Changed = true // so that it is several records
		for range 3 {
			f.Inject(rule)
			if err := s.Write(r); err == nil {
				t.Fatalf("%s: written", rule)
			} else if rule == "write *.sa: enospc" && (!errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "free some space") || s.Err() == nil) {
				t.Error(err)
			}
		}
		f.Inject("")
		write(t, s, r)
		if s.Err() != nil {
			t.Error(s.Err())
		}
	}
	write(t, s, next())
	s.Close()
	want(t, seen(t, f.Dir, "fs1"), "1", "2", "3", "4", "5")
}

// TestPowerCut: synced records survive a loss of power, and the files are
// continued.
func TestPowerCut(t *testing.T) {
	f := faultfs.Mount(t)
	s := open(t, f.Dir)
	begin := at("2026-03-01 12:00:00")
	for i := range 20 {
		write(t, s, reading("fs1", begin.Add(time.Duration(i)*15*time.Second), uint64(i+1)))
		if i%4 == 3 {
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		if i < 4 {
			continue
		}
		dir := f.CutPower(t, uint64(i))
		left := open(t, dir)
		for k := range 2 {
			write(t, left, reading("fs1", begin.Add(time.Hour+time.Duration(k)*15*time.Second), uint64(100+k)))
		}
		left.Close()
		got := seen(t, dir, "fs1")
		synced := (i + 1) / 4 * 4
		for k := range synced {
			if len(got) <= k || got[k] != fmt.Sprint(k+1) {
				t.Fatalf("cut after %d: %q", i+1, got)
			}
		}
		if got[len(got)-1] != "101" {
			t.Errorf("cut after %d: %q", i+1, got)
		}
	}
}
