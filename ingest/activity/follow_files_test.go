package activity

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// shift is a change of files while they are followed.
type shift struct {
	after time.Duration // time since the first record
	do    func(th *theatre)
}

// must fails the test on an error.
func (th *theatre) must(err error) {
	th.t.Helper()
	if err != nil {
		th.t.Fatal(err)
	}
}

func (th *theatre) path(name string) string { return filepath.Join(th.dir, name) }

// packed compresses a file and removes the original.
func (th *theatre) packed(name string) {
	th.t.Helper()
	b, err := os.ReadFile(th.path(name))
	th.must(err)
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	th.must(err)
	_, err = w.Write(b)
	th.must(err)
	th.must(w.Close())
	th.must(os.WriteFile(th.path("."+name+".part"), packed.Bytes(), 0o644))
	th.must(os.Rename(th.path("."+name+".part"), th.path(name+".zst")))
	th.look()
	th.must(os.Remove(th.path(name)))
}

// TestFollowedFiles: after any change of the files the rows are those of Open,
// and there are no warnings about harmless changes.
func TestFollowedFiles(t *testing.T) {
	dir := days(t, 3)
	o := Options{Metrics: []string{"await"}}
	want := opened(t, dir, o)
	after := func(d time.Duration, do func(th *theatre)) shift { return shift{d, do} }
	for name, shifts := range map[string][]shift{
		"compressed": {after(12*time.Minute, func(th *theatre) { th.packed("fs1-1.sa"); th.packed("fs2-1.sa") })},
		"compressed before it was read to its end": {after(600*time.Second, func(th *theatre) {
			th.append(th.tapes[0], len(th.tapes[0].bytes))
			th.packed("fs1-1.sa")
		})},
		"renamed while it grows": {after(5*time.Minute, func(th *theatre) {
			th.must(os.Rename(th.path("fs1-1.sa"), th.path("fs1-old.sa")))
			th.tapes[0].name = "fs1-old.sa"
		})},
		"removed": {after(13*time.Minute, func(th *theatre) { th.must(os.Remove(th.path("fs1-1.sa"))) })},
		"moved to a directory": {after(13*time.Minute, func(th *theatre) {
			th.must(os.Mkdir(th.path("old"), 0o755))
			th.must(os.Rename(th.path("fs1-1.sa"), th.path("old/fs1-1.sa")))
		})},
		"torn and repaired": {
			after(5*time.Minute, func(th *theatre) { th.tear(th.tapes[0], 70) }),
			after(5*time.Minute+4*time.Second, func(th *theatre) { th.repair(th.tapes[0]) }),
		},
		"half a header": {after(595*time.Second, func(th *theatre) { th.append(th.tapes[1], 100) })},
		"a stranger": {after(3*time.Minute, func(th *theatre) {
			th.must(os.WriteFile(th.path("sar14"), []byte("a report"), 0o644))
			th.must(os.WriteFile(th.path(".fs1.sa.Xy12"), []byte("half a copy"), 0o644))
		})},
	} {
		t.Run(name, func(t *testing.T) {
			th := newTheatre(t, dir, o)
			th.begin()
			begin := th.clock
			for _, s := range shifts {
				th.until(begin+int64(s.after.Seconds()), 5)
				s.do(th)
				th.look()
			}
			th.play(5)
			sameRows(t, th.rows, want)
			for _, w := range th.f.Warnings() {
				if !strings.Contains(w.Text, "clock of fs2 was set back") {
					t.Errorf("warning of healthy files: %s", w)
				}
			}
			if p := th.f.Progress(); p.Open != 3 || p.Refused != 0 {
				t.Errorf("%+v", p)
			}
		})
	}
}

// tear appends the first bytes of the next record.
func (th *theatre) tear(p *tape, n int) {
	f, err := os.OpenFile(th.path(p.name), os.O_APPEND|os.O_WRONLY, 0)
	th.must(err)
	_, err = f.Write(p.bytes[p.at:][:n])
	th.must(err)
	th.must(f.Close())
}

// repair cuts them off.
func (th *theatre) repair(p *tape) { th.must(os.Truncate(th.path(p.name), int64(p.at))) }

// TestFollowedCopies: files are copied every minute, as rsync does: first as a
// whole under another name.
func TestFollowedCopies(t *testing.T) {
	dir := days(t, 3)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.follow.LateSeconds = 120
	th.begin()
	last := th.last() + 600
	for ; th.clock <= last; th.clock += 5 {
		for _, p := range th.tapes {
			if n := th.due(p); th.clock%60 == 0 && n > 0 {
				th.must(os.WriteFile(th.path("."+p.name+".tmp"), p.bytes[:n], 0o644))
				th.must(os.Rename(th.path("."+p.name+".tmp"), th.path(p.name)))
			}
		}
		th.look()
	}
	th.same()
}

// TestFollowedDamage: an unusable file costs its own rows and one warning, and
// is used after it is repaired.
func TestFollowedDamage(t *testing.T) {
	dir := days(t, 3)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.begin()
	th.must(os.WriteFile(th.path("fs3-1.sa"), bytes.Repeat([]byte("no activity "), 100), 0o644))
	th.tapes = slices.DeleteFunc(th.tapes, func(p *tape) bool { return strings.HasPrefix(p.name, "fs3") })
	th.until(th.clock+300, 5)
	w := th.f.Warnings()
	if len(w) != 1 || !strings.Contains(w[0].Text, "fs3-1.sa") || th.f.Progress().Refused != 1 {
		t.Errorf("%v %+v", w, th.f.Progress())
	}
	b, err := os.ReadFile(filepath.Join(dir, "fs3-1.sa"))
	th.must(err)
	th.must(os.WriteFile(th.path("fs3-1.sa"), b, 0o644))
	th.until(th.clock+60, 5)
	if p := th.f.Progress(); p.Refused != 0 || len(p.Machines) != 3 {
		t.Errorf("after the repair: %+v", p)
	}
}

// TestFollowedShrinks: a file that becomes shorter while it is followed is a
// warning, and the trouble of its machine.
func TestFollowedShrinks(t *testing.T) {
	th := newTheatre(t, days(t, 3), Options{Metrics: []string{"await"}})
	th.begin()
	th.until(th.clock+300, 5)
	if w := th.f.Warnings(); len(w) > 0 {
		t.Fatal(w)
	}
	p := th.tapes[0]
	th.must(os.Truncate(th.path(p.name), int64(p.at/2)))
	th.look()
	const want = "another program shortened the file while limpet read the file: "
	if w := th.f.Warnings(); len(w) != 1 || !strings.Contains(w[0].Text, p.name+": "+want) {
		t.Errorf("warnings %v", w)
	}
	if m := th.f.Progress().Machines[0]; !strings.Contains(m.Trouble, want) {
		t.Errorf("%+v", m)
	}
}

// TestFollowedNewcomers: servers and devices that appear later, and a device
// that is renamed, change the system, and no row is lost.
func TestFollowedNewcomers(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		host := fmt.Sprintf("fs%d", i+1)
		start := midnight.Add(time.Duration(i) * 5 * time.Minute)
		r := record(t, dir, host+".sa", host, start, 3)
		for d := range r.disks {
			r.disks[d].WWN = [2]uint64{0x5000c50000000000 + uint64(10*i+d)}
		}
		r.varied(600, 5, uint64(i))
		r.disks = append(r.disks, sysstat.Disk{Major: 8, Minor: 240, IOs: 7, WWN: [2]uint64{0x5000c500000000f0 + uint64(i)}})
		r.varied(300, 5, uint64(i))
		r.disks = slices.Delete(r.disks, 0, 1)
		r.varied(300, 5, uint64(i))
	}
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.begin()
	th.play(5)
	th.same()
	if th.changes != 6 {
		t.Errorf("the system changed %d times, want 6: found, two servers, three devices", th.changes)
	}
	if n := len(th.f.System().Components); n != 12 {
		t.Errorf("%d components", n)
	}
}

// TestFollowedRename: a device has another name from some time on.
func TestFollowedRename(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir, "fs1.sa", "fs1", midnight, 3)
	th := newTheatre2(t, dir, r)
	for i, name := range []string{"sda", "sdb", "sdc"} {
		th.must(r.w.WriteComment(r.now, fmt.Sprintf("dev 8:%d=%s", 16*i, name)))
	}
	r.varied(600, 5, 1)
	th.whole(r)
	if _, ok := th.f.System().Lookup("fs1/sdc"); !ok {
		t.Fatalf("no sdc: %v", th.f.System().Components)
	}
	th.must(r.w.WriteComment(r.now, "dev 8:32=sdx"))
	r.varied(600, 5, 2)
	rows := len(th.rows)
	th.whole(r)
	if _, ok := th.f.System().Lookup("fs1/sdx"); !ok || th.changes != 2 {
		t.Errorf("no sdx after %d changes: %v", th.changes, th.f.System().Components)
	}
	if len(th.rows)-rows < 38 {
		t.Errorf("%d rows came after the change, want 40", len(th.rows)-rows)
	}
}

// newTheatre2 follows the directory that a recorder writes to.
func newTheatre2(t testing.TB, dir string, r *recording) *theatre {
	th := &theatre{t: t, from: dir, dir: dir, opts: Options{Metrics: []string{"await"}}, clock: r.now.Unix()}
	th.follow.Now = func() time.Time { return time.Unix(th.clock, 0) }
	th.begin()
	return th
}

// whole reads all that a recorder has written.
func (th *theatre) whole(r *recording) {
	th.clock = r.now.Unix()
	th.look()
}

// TestFollowedBacklog: existing days of files are read at full speed, and
// further records live.
func TestFollowedBacklog(t *testing.T) {
	dir := days(t, 3)
	rng := rand.New(rand.NewPCG(4, 4))
	for range 4 {
		th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
		th.clock += rng.Int64N(1500)
		th.write()
		th.begin()
		th.play(5)
		th.same()
	}
}

// TestFollowedByteByByte: a record counts after its last byte.
func TestFollowedByteByByte(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"fs1", "fs2"} {
		record(t, dir, host, host, midnight, 3).varied(75, 15, 1)
	}
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}, Peers: topology.PeersAll})
	th.begin()
	for end := th.last() + 300; th.clock <= end; th.clock += 15 {
		for _, p := range th.tapes {
			for n := th.due(p); p.at < n; {
				th.append(p, p.at+1)
				th.look()
			}
		}
		th.look()
	}
	th.same()
}

// TestFollowedAfter: files that end before the first wanted row are not opened
// until they change.
func TestFollowedAfter(t *testing.T) {
	dir := days(t, 3)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.clock = th.last() + 300
	th.write()
	old := map[string]time.Time{"fs1-20260101T000000Z.sa": midnight, "sa13": midnight.Add(-100 * time.Hour), "sa20260214.xz": midnight}
	for name, written := range old {
		th.must(os.WriteFile(th.path(name), []byte("whoever opens it refuses it"), 0o644))
		th.must(os.Chtimes(th.path(name), written, written))
	}
	want := opened(t, dir, th.opts)
	th.follow.After = midnight.Unix() + 300
	th.begin()
	th.look()
	sameRows(t, th.rows, want[len(want)-len(th.rows):])
	if n := len(th.rows); n < 40 || th.ends[0] != th.follow.After+15 {
		t.Errorf("%d rows from %d on", n, th.ends[0])
	}
	if p := th.f.Progress(); p.Refused != 0 || p.Files != 9 {
		t.Errorf("%+v %v", p, th.f.Warnings())
	}
	th.must(os.WriteFile(th.path("sa13"), []byte("it is of use again, but no activity file"), 0o644))
	for range scanEvery {
		th.look()
	}
	if p := th.f.Progress(); p.Refused != 1 {
		t.Errorf("%+v", p)
	}
}

// TestFollowedTopologyIsSet: rows continue in the topology that was set.
func TestFollowedTopologyIsSet(t *testing.T) {
	dir := days(t, 3)
	o := Options{Metrics: []string{"await"}, System: system(t, "servers: fs[1-3]\ndrives:\n  - devices: sd[a-b]\n    peers: all\n")}
	th := newTheatre(t, dir, o)
	th.begin()
	th.until(th.clock+700, 5)
	cut := len(th.rows)
	o.System = system(t, "servers: fs[1-3]\ndrives:\n  - devices: sd[a-c]\n    peers: all\n")
	th.f.SetSystem(o.System)
	th.play(5)
	sameRows(t, th.rows[:cut], opened(t, dir, th.opts)[:cut])
	sameRows(t, th.rows[cut:], opened(t, dir, o)[cut:])
	if th.changes != 2 {
		t.Errorf("%d changes", th.changes)
	}
}

// TestFollowedSystemOutlivesFiles: after a restart the system still has the
// components of servers whose files are gone.
func TestFollowedSystemOutlivesFiles(t *testing.T) {
	for name, o := range map[string]Options{"days": {Metrics: []string{"await"}}, "cluster": {Metrics: network, StepSeconds: 1}} {
		dir := busyCluster(t, 20)
		if name == "days" {
			dir = days(t, 3)
		}
		th := newTheatre(t, dir, o)
		th.begin()
		th.play(5)
		was, found := th.f.System(), len(th.f.Found())
		for _, p := range th.tapes {
			if strings.HasPrefix(p.name, "fs2") {
				th.must(os.Remove(th.path(p.name)))
			}
		}
		for range 2 {
			th.restart()
			th.look()
		}
		if is := th.f.System(); !reflect.DeepEqual(was, is) || len(th.f.Found()) != found {
			t.Errorf("%s: %d components, then %d; %d sightings, then %d", name, len(was.Components), len(is.Components), found, len(th.f.Found()))
		}
	}
}

// TestFollowedBesideSadc: where a host has files of two recorders, the records
// of the finer one are used, as with Open.
func TestFollowedBesideSadc(t *testing.T) {
	dir := days(t, 3)
	f, err := os.Create(filepath.Join(dir, "sa28"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created, o.Release = "fs1", midnight.Add(-9*time.Minute), "6.1.0-sadc"
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for s := int64(60); s < 900; s += 60 {
		now := midnight.Add(time.Duration(s-600) * time.Second)
		sample := &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: []sysstat.Disk{{Major: 8, IOs: 9}}}
		if err := w.WriteStats(now, uint64(360000+100*s), sample); err != nil {
			t.Fatal(err)
		}
	}
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.begin()
	th.play(5)
	th.same()
}
