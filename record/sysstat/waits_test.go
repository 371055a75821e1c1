package sysstat

import (
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestFileSystems: the file system of the first record, as sadf 12.6.1 prints it.
func TestFileSystems(t *testing.T) {
	r, err := Open("testdata/sa-all")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != Stats || rec.LocalTime().UTC().Second() != 1 {
			continue
		}
		list := rec.FileSystems(make([]FileSystem, 3))
		if len(list) != 1 || list[0].Device != "/dev/vda" || list[0].Free != 254660132864 || list[0].FreeFiles != 16320920 || list[0].Files != 16320920+456296 {
			t.Errorf("file systems %+v", list)
		}
		return
	}
}

// TestWaitsOfSadc: pressure and file systems in a file of sadc are those that sadf prints.
func TestWaitsOfSadc(t *testing.T) {
	sadf, err := exec.LookPath("sadf")
	if err != nil {
		t.Skip("needs sadf of sysstat")
	}
	const path = "testdata/sa-all"
	printed := func(option ...string) (lines [][]string) {
		out, err := exec.Command(sadf, append([]string{"-d", "-U", path, "--"}, option...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("sadf: %v: %s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			if !strings.HasPrefix(line, "#") {
				lines = append(lines, strings.Split(strings.TrimSpace(line), ";"))
			}
		}
		return lines
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []Pressures
	var uptimes []uint64
	var systems [][]FileSystem
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != Stats {
			continue
		}
		p, ok := rec.Pressures()
		if !ok {
			t.Fatal("the file has no pressure")
		}
		all, uptimes, systems = append(all, p), append(uptimes, rec.Uptime), append(systems, rec.FileSystems(nil))
	}
	for kind, of := range map[string]func(p *Pressures) (some, full uint64){
		"CPU": func(p *Pressures) (uint64, uint64) { return p.CPU.Some, p.CPU.Some }, "IO": func(p *Pressures) (uint64, uint64) { return p.IO.Some, p.IO.Full },
		"MEM": func(p *Pressures) (uint64, uint64) { return p.Memory.Some, p.Memory.Full },
	} {
		lines := printed("-q", kind)
		if len(lines) != len(all)-1 {
			t.Fatalf("%s: %d lines of %d records", kind, len(lines), len(all))
		}
		for i, f := range lines {
			some, full := of(&all[i+1])
			some0, full0 := of(&all[i])
			percent := func(now, before uint64) float64 {
				return float64(now-before) / 1e4 / (float64(uptimes[i+1]-uptimes[i]) / 100)
			}
			want := percent(some, some0)
			if got := number(f[6]); math.Abs(got-want) > 0.006+want/1000 {
				t.Errorf("%s: sadf prints %g %%, the file has %g", kind, got, want)
			}
			if kind == "CPU" {
				continue
			}
			want = percent(full, full0)
			if got := number(f[10]); math.Abs(got-want) > 0.006+want/1000 {
				t.Errorf("%s, full: sadf prints %g %%, the file has %g", kind, got, want)
			}
		}
	}
	lines, place := printed("-F"), 0
	for _, list := range systems[1:] {
		for _, s := range list {
			f := lines[place]
			place++
			const mega = 1 << 20
			used := float64(s.Bytes-s.Available) / float64(s.Bytes) * 100
			if f[3] != s.Device || math.Abs(number(f[4])-float64(s.Free)/mega) > 1 || math.Abs(number(f[7])-used) > 0.01 || number(f[8]) != float64(s.FreeFiles) || number(f[9]) != float64(s.Files-s.FreeFiles) {
				t.Errorf("sadf prints %v, the file has %+v", f, s)
			}
		}
	}
	if place != len(lines) {
		t.Errorf("sadf prints %d file systems, the file has %d", len(lines), place)
	}
	if place == 0 {
		t.Error("the file has no file system")
	}
}
