package agent

import (
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// What sadc records beside us is printed by sysstat's own programs from its
// file and from ours, and is to be the same. Both sample in the first tenths
// of a second, some milliseconds apart; all work is done between, so that both
// see the same counters. Two things are not the same by nature:
//
//   - Intervals are in 1/100 s, so one may be 1.00 s here and 1.01 s there. A
//     rate may differ by as much, and not at all where intervals are the same.
//   - Devices that others use move while both sample. What sadc saw of such a
//     one is to lie between our sample and the next.

// sadc is the path of sysstat's recorder, where Debian or Red Hat put it.
func sadc(t testing.TB) string {
	t.Helper()
	for _, path := range []string{"/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("sadc is not installed")
	return ""
}

// pairOfLinks is a cable with two ends and nothing that speaks by itself.
const pairOfLinks = `
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6 || true
ip link add limpet0 type veth peer name limpet1
ip link set limpet0 up; ip link set limpet1 up`

func TestBesideSadc(t *testing.T) {
	program := sadc(t)
	for _, reader := range []string{"sar", "sadf"} {
		if _, err := exec.LookPath(reader); err != nil {
			t.Skipf("%s is not installed", reader)
		}
	}
	if !apart(t, pairOfLinks) {
		return
	}
	b := beside{T: t, loops: loops(t, 15)}
	b.loops[0].work(t, 1, 1) // known to both from the start; others come later, some never
	for try := 1; !b.record(program); try++ {
		if try == 10 {
			t.Skip("the machine is too busy: work and samples did not keep apart")
		}
	}
	for _, report := range [][]string{{"-d"}, {"-n", "DEV"}, {"-n", "EDEV"}, {"-n", "TCP,ETCP"}} {
		b.compare("sar", func(file string) []string { return append(report, "-f", file) })
		b.compare("sadf", func(file string) []string { return append([]string{"-d", file, "--"}, report...) })
	}
	b.between()
}

// beside is a test of two recorders in the same seconds.
type beside struct {
	*testing.T
	loops        []*loop
	ours, theirs recording
}

const besideSamples = 5

// record has both record, and work done between their samples. It is false
// where one was late for that.
func (b *beside) record(program string) bool {
	o := DefaultOptions()
	o.Record.Dir = b.TempDir()
	stop := start(b.T, o)
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(2020 * time.Millisecond)))
	path := filepath.Join(b.TempDir(), "sa")
	cmd := exec.Command(program, "-S", "DISK,SNMP", "1", fmt.Sprint(besideSamples), path)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	apart := true
	for i := range besideSamples - 1 {
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(workBegins)))
		began := time.Now().Truncate(time.Second)
		apart = apart && written(began, path, filepath.Join(o.Record.Dir, "*.sa"))
		b.work(i)
		apart = apart && time.Since(began) < workEnds
		time.Sleep(time.Until(began.Add(time.Second)))
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	time.Sleep(time.Second) // a sample of ours behind the last of theirs
	stop()
	b.theirs = read(b.T, path, 0, math.MaxInt64)
	b.ours = read(b.T, onlyFile(b.T, o), b.theirs.first(), b.theirs.last()+1)
	return apart && b.kept()
}

// In a second, work is done between these.
const (
	workBegins = 400 * time.Millisecond
	workEnds   = 950 * time.Millisecond
)

// written reports whether each recorder has written its sample of this second. A recorder
// that stands still after it took the time reads its counters later than its sample says:
// the work may begin only when the sample is in its file.
func written(second time.Time, patterns ...string) bool {
	for _, pattern := range patterns {
		last := int64(0)
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			r, err := sysstat.Open(file)
			if err != nil {
				return false
			}
			for rec, err := r.Next(); err == nil; rec, err = r.Next() {
				if rec.Type == sysstat.Stats {
					last = max(last, rec.Time)
				}
			}
			r.Close()
		}
		if last < second.Unix() {
			return false
		}
	}
	return true
}

// kept says whether all samples were taken ahead of work, ours first.
func (b *beside) kept() bool {
	if len(b.ours.samples) != besideSamples+1 || len(b.theirs.samples) != besideSamples {
		return false
	}
	const late = float64(workBegins / (10 * time.Millisecond) / 2)
	for i, s := range b.theirs.samples {
		ours := b.ours.samples[i]
		sinceFirst := ours.uptime - b.ours.samples[0].uptime - float64(100*i)
		if s.time != ours.time || s.uptime < ours.uptime || s.uptime-ours.uptime > late || math.Abs(sinceFirst) > late/2 {
			return false
		}
	}
	return true
}

// work is some of everything, more of it with each second.
func (b *beside) work(second int) {
	for i, l := range b.loops[:3*(second+1)] {
		l.work(b.T, second*(i%5+1), 20*(i%4))
	}
	b.loops[1].storm(b.T, 12, 4)
	talk(b.T, "limpet0", 3+second)
	talk(b.T, "lo", 5)
	connect(b.T)
}

// talk sends frames of 1000 bytes over a link.
func talk(t testing.TB, link string, frames int) {
	t.Helper()
	nic, err := net.InterfaceByName(link)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	frame := make([]byte, 1000)
	for range frames {
		if err := unix.Sendto(fd, frame, 0, &unix.SockaddrLinklayer{Ifindex: nic.Index}); err != nil {
			t.Fatal(err)
		}
	}
}

// compare has a program print both files.
func (b *beside) compare(program string, args func(file string) []string) {
	b.Helper()
	ours, theirs := b.printed(program, args(b.ours.path)), b.printed(program, args(b.theirs.path))
	if len(ours) != len(theirs) || len(theirs) < besideSamples-1 {
		b.Fatalf("%s %q: %d lines, from sadc %d:\n%q\n%q", program, args(""), len(ours), len(theirs), ours, theirs)
	}
	var columns []string
	for i, want := range theirs {
		if strings.Contains(strings.Join(want, " "), "/s") {
			columns = want
		}
		if got := ours[i]; !b.same(columns, got, want) {
			b.Errorf("%s %q prints\n%q, from sadc\n%q of\n%q", program, args(""), got, want, columns)
		}
	}
}

// printed is the lines that a program prints of the samples that both have, in
// cells.
func (b *beside) printed(program string, args []string) (lines [][]string) {
	b.Helper()
	at := func(t int64) string { return time.Unix(t, 0).UTC().Format(time.TimeOnly) }
	cmd := exec.Command(program, slices.Insert(args, 0, "-s", at(b.theirs.first()), "-e", at(b.theirs.last()))...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%q: %v: %s", cmd.Args, err, out)
	}
	for line := range strings.Lines(string(out)) {
		cells := strings.Fields(line)
		if program == "sadf" {
			cells = strings.Split(strings.TrimSpace(line), ";")
		}
		lines = append(lines, cells)
	}
	return lines
}

// same compares two lines. Of a disk that others use only the name is.
func (b *beside) same(columns, got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	name := slices.Index(columns, "DEV")
	for i := range want {
		switch {
		case got[i] == want[i]:
		case len(want) != len(columns):
			return false
		case name >= 0 && i > name && !b.moves(want[name]):
		case columns[i] == "areq-sz" || columns[i] == "await" || !b.near(got[i], want[i], want):
			return false
		}
	}
	return true
}

// moves says whether a device is one that only this test uses.
func (b *beside) moves(device string) bool {
	return slices.ContainsFunc(b.loops, func(l *loop) bool { return l.name() == device })
}

// near says whether two rates of a line may be the same count: each is rounded
// to 1/100, and by an interval of its own.
func (b *beside) near(got, want string, line []string) bool {
	x, err1 := strconv.ParseFloat(got, 64)
	y, err2 := strconv.ParseFloat(want, 64)
	ours, theirs := b.ours.interval(line), b.theirs.interval(line)
	if err1 != nil || err2 != nil || ours == theirs {
		return false
	}
	const rounding = 0.005
	return math.Abs(x*ours-y*theirs) <= rounding*(ours+theirs)
}

// between: what sadc saw of any disk lies between our sample and the next.
func (b *beside) between() {
	for i, theirs := range b.theirs.samples {
		before, after := b.ours.samples[i], b.ours.samples[i+1]
		for key, n := range theirs.counts {
			if n < before.counts[key] || n > after.counts[key] {
				b.Errorf("%s at %d: %d, then sadc %d, then %d", key, theirs.time, before.counts[key], n, after.counts[key])
			}
		}
	}
}

// A recording is a file and the samples in it.
type recording struct {
	path    string
	samples []besideSample
}

type besideSample struct {
	time   int64
	uptime float64           // in 1/100 s
	counts map[string]uint64 // of disks
}

// read takes the samples of some seconds.
func read(t *testing.T, path string, from, to int64) recording {
	t.Helper()
	r := recording{path: path}
	eachStats(t, path, func(rec *sysstat.Record, _ *sysstat.Inventory) {
		if rec.Time < from || rec.Time > to {
			return
		}
		s := besideSample{rec.Time, float64(rec.Uptime), map[string]uint64{}}
		for _, d := range rec.Disks(nil) {
			name := fmt.Sprintf("%d:%d ", d.Major, d.Minor)
			s.counts[name+"I/Os"], s.counts[name+"read"], s.counts[name+"written"] = d.IOs, d.ReadSectors, d.WriteSectors
		}
		r.samples = append(r.samples, s)
	})
	return r
}

func (r *recording) first() int64 { return r.samples[0].time }

func (r *recording) last() int64 { return r.samples[len(r.samples)-1].time }

// interval is what the rates of a line are by: the time ahead of a sample, or
// all for the averages of sar. The time stands first for sar, third for sadf.
func (r *recording) interval(line []string) float64 {
	for i := 1; i < besideSamples; i++ {
		at := time.Unix(r.samples[i].time, 0).UTC().Format(time.TimeOnly)
		if line[0] == at || strings.Contains(line[2], " "+at+" ") {
			return r.samples[i].uptime - r.samples[i-1].uptime
		}
	}
	return r.samples[besideSamples-1].uptime - r.samples[0].uptime
}
