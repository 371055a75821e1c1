package exporter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// kept stores readings in memory.
type kept struct {
	readings []string
	memory   Memory
	recalled int
	err      error
	last     Reading
}

func (k *kept) Recall(string) (Memory, error) {
	k.recalled++
	return k.memory, nil
}

// Write keeps a line for each reading: server, second, restart, disks with
// their I/Os, interfaces with their bytes.
func (k *kept) Write(r *Reading) error {
	if k.err != nil {
		return k.err
	}
	line := fmt.Sprintf("%s %d", r.Server, r.Time.Unix()-begin)
	if r.Restarted {
		line += " restarted"
	}
	names := map[[2]uint32]string{}
	for _, d := range r.Devices {
		names[[2]uint32{d.Major, d.Minor}] = d.Name
	}
	for _, d := range r.Sample.Disks {
		line += fmt.Sprintf(" %s=%d", names[[2]uint32{d.Major, d.Minor}], d.IOs)
	}
	for _, n := range r.Sample.Interfaces {
		line += fmt.Sprintf(" %s=%d", n.Name, n.RxBytes)
	}
	k.readings = append(k.readings, line)
	k.memory = Memory{Time: r.Time, Uptime: r.Uptime, Devices: slices.Clone(r.Devices), Disks: slices.Clone(r.Sample.Disks), Interfaces: slices.Clone(r.Sample.Interfaces)}
	k.last = Reading{Server: r.Server, Uptime: r.Uptime, Devices: slices.Clone(r.Devices), Sample: sysstat.Sample{Disks: slices.Clone(r.Sample.Disks)}}
	return nil
}

// begin is the time from which tests count seconds.
const begin = 1_750_000_000

// A bench is an Assembler, its files and a clock.
type bench struct {
	*Assembler
	kept
	t      testing.TB
	now    time.Time
	sender string
	counts Counts
}

func newBench(t testing.TB, change func(*Options)) *bench {
	t.Helper()
	o := DefaultOptions()
	if change != nil {
		change(&o)
	}
	j, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{Assembler: j, t: t, now: time.Unix(begin, 0), sender: "prometheus"}
}

// labels parses name{a="b",c="d"}.
func labels(text string) (list []Label) {
	name, rest, _ := strings.Cut(text, "{")
	list = append(list, Label{Name: []byte("__name__"), Value: []byte(name)})
	for _, pair := range strings.Split(strings.TrimSuffix(rest, "}"), ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			list = append(list, Label{Name: []byte(key), Value: []byte(value)})
		}
	}
	return list
}

// stale are the bits of the staleness marker.
const stale = 0x7ff0000000000002

type point struct {
	series string
	value  float64
}

// push sends the samples of a second in one request.
func (b *bench) push(second int64, points ...point) {
	b.t.Helper()
	var batch Batch
	batch.Reset(b.o.ServerLabel)
	for _, p := range points {
		if !batch.Begin(labels(p.series)) {
			b.t.Fatalf("%s is not used", p.series)
		}
		batch.Sample((begin+second)*1000, p.value)
	}
	b.send(&batch)
}

func (b *bench) send(batch *Batch) {
	c, _ := b.Take(batch, Sender{Name: b.sender}, b.now)
	b.counts.Add(c)
	_ = b.Flush(&b.kept, b.now, false)
}

// pass advances the clock.
func (b *bench) pass(seconds int) {
	b.now = b.now.Add(time.Duration(seconds) * time.Second)
	_ = b.Flush(&b.kept, b.now, true)
}

func (b *bench) want(lines ...string) {
	b.t.Helper()
	if !slices.Equal(b.readings, lines) {
		b.t.Errorf("readings are\n\t%s\nnot\n\t%s", strings.Join(b.readings, "\n\t"), strings.Join(lines, "\n\t"))
	}
}

var diskSeries = []string{
	"node_disk_reads_completed_total", "node_disk_writes_completed_total", "node_disk_read_bytes_total",
	"node_disk_written_bytes_total", "node_disk_read_time_seconds_total", "node_disk_write_time_seconds_total",
	"node_disk_io_time_seconds_total", "node_disk_io_time_weighted_seconds_total",
}

// disk returns the series of a disk after a number of reads.
func disk(server, device string, reads float64) (points []point) {
	for i, name := range diskSeries {
		v := float64(0)
		if i == 0 {
			v = reads
		}
		points = append(points, point{fmt.Sprintf("%s{instance=%s:9100,job=node,device=%s}", name, server, device), v})
	}
	return points
}

func boot(server string, second int64) point {
	return point{fmt.Sprintf("node_boot_time_seconds{instance=%s:9100,job=node}", server), float64(begin + second)}
}

func all(lists ...[]point) []point { return slices.Concat(lists...) }

func ended(points []point) []point {
	points = slices.Clone(points)
	for i := range points {
		points[i].value = math.Float64frombits(stale)
	}
	return points
}

// taught returns a bench that has had one scrape of a server, which is not
// written.
func taught(t testing.TB, change func(*Options)) *bench {
	b := newBench(t, change)
	b.push(0, append(disk("fs1", "sda", 1), boot("fs1", -1000))...)
	b.pass(11)
	b.want()
	return b
}

// TestShards: the samples of a scrape come in any order and in several
// requests, and are written after the last one.
func TestShards(t *testing.T) {
	b := taught(t, nil)
	whole := append(disk("fs1", "sda", 5), boot("fs1", -1000))
	b.push(15, whole[5:]...)
	b.push(30, whole[5:]...) // one shard is ahead
	b.want()
	b.push(15, whole[:5]...)
	b.want("fs1 15 sda=5")
	b.push(30, whole[:5]...)
	b.want("fs1 15 sda=5", "fs1 30 sda=5")
}

// TestGap: a scrape with a missing part is a gap. The disk without counters
// neither falls to zero nor disappears.
func TestGap(t *testing.T) {
	b := taught(t, nil)
	b.push(15, disk("fs1", "sda", 5)[1:]...)
	b.pass(5)
	b.push(30, append(disk("fs1", "sda", 7), boot("fs1", -1000))...)
	b.want("fs1 30 sda=7")
	if got := b.byName["fs1"].Counts.Incomplete; got != 1 {
		t.Errorf("%d incomplete scrapes", got)
	}
}

// TestWait: without newer samples an incomplete scrape becomes a gap after a
// while, and the missing fields are not expected any more.
func TestWait(t *testing.T) {
	b := taught(t, nil)
	b.push(15, append(disk("fs1", "sdb", 3), all(disk("fs1", "sda", 5), []point{boot("fs1", -1000)})...)...)
	b.push(30, append(disk("fs1", "sdb", 3), boot("fs1", -1000))...)
	b.pass(9)
	b.want("fs1 15 sda=5 sdb=3")
	b.pass(2)
	b.push(45, append(disk("fs1", "sdb", 4), boot("fs1", -1000))...)
	b.want("fs1 15 sda=5 sdb=3", "fs1 45 sdb=4")
}

// TestStale: a series with a staleness marker is gone at once.
func TestStale(t *testing.T) {
	b := taught(t, nil)
	b.push(15, all(ended(disk("fs1", "sda", 0)), disk("fs1", "sdb", 9), []point{boot("fs1", -1000)})...)
	b.want("fs1 15 sdb=9")
	b.push(30, append(all(ended(disk("fs1", "sdb", 0))), point{boot("fs1", 0).series, math.Float64frombits(stale)})...)
	b.pass(20)
	b.want("fs1 15 sdb=9") // the target is gone
	b.push(60, append(disk("fs1", "sdb", 10), boot("fs1", -1000))...)
	b.want("fs1 15 sdb=9", "fs1 60 sdb=10")
}

// TestTargetReturns: after an endpoint was gone its first scrape is complete,
// though it comes in pieces.
func TestTargetReturns(t *testing.T) {
	b := taught(t, nil)
	whole := all(disk("fs1", "sda", 5), disk("fs1", "sdb", 6), []point{boot("fs1", -1000)})
	b.push(15, whole...)
	for _, p := range ended(whole) {
		b.push(30, p) // each in its own request
	}
	b.pass(30)
	b.push(60, whole[7:]...)
	b.want("fs1 15 sda=5 sdb=6")
	b.push(60, whole[:7]...)
	b.want("fs1 15 sda=5 sdb=6", "fs1 60 sda=5 sdb=6")
	if c := b.byName["fs1"].Counts; c.Late+c.Incomplete > 0 {
		t.Errorf("%+v", c)
	}
}

// TestDuplicatesAndLate: repeated samples change nothing, late samples are
// counted.
func TestDuplicatesAndLate(t *testing.T) {
	b := taught(t, nil)
	scrape := append(disk("fs1", "sda", 5), boot("fs1", -1000))
	b.push(30, scrape...)
	b.push(30, scrape...)
	b.push(15, scrape...)
	b.push(15, disk("fs1", "sdb", 1)...)
	b.pass(20)
	b.want("fs1 30 sda=5")
	if c := b.byName["fs1"].Counts; c.Duplicate != 18 || c.Late != 8 {
		t.Errorf("%+v", c)
	}
}

// TestReboot: a restart is recorded where counters start again after a boot,
// and not where they only fell.
func TestReboot(t *testing.T) {
	b := taught(t, nil)
	b.push(15, append(disk("fs1", "sda", 500), boot("fs1", -1000))...)
	b.push(300, append(disk("fs1", "sda", 3), boot("fs1", 200))...)
	b.push(315, append(disk("fs1", "sda", 4), boot("fs1", 200))...)
	b.want("fs1 15 sda=500", "fs1 300 restarted sda=3", "fs1 315 sda=4")
	if b.last.Uptime != 115*100 {
		t.Errorf("uptime %d", b.last.Uptime)
	}
}

// TestClockOfMachine: the uptime follows the server's own clock, so a step of
// that clock is no restart and makes no interval longer.
func TestClockOfMachine(t *testing.T) {
	b := newBench(t, nil)
	own := func(second float64) point {
		return point{"node_time_seconds{instance=fs1:9100,job=node}", begin + second}
	}
	b.push(0, append(disk("fs1", "sda", 1), boot("fs1", -1000), own(0))...)
	b.pass(11)
	b.push(15, append(disk("fs1", "sda", 2), boot("fs1", -1000), own(15))...)
	before := b.last.Uptime
	b.push(30, append(disk("fs1", "sda", 3), boot("fs1", -900), own(130))...) // set ahead by 100 s
	b.want("fs1 15 sda=2", "fs1 30 sda=3")
	if by := b.last.Uptime - before; by != 1500 {
		t.Errorf("uptime grew by %d", by)
	}
	list, _ := b.Status(b.now)
	if !strings.Contains(list[0].Trouble, "1m40s ahead of the clock of prometheus") {
		t.Error(list[0].Trouble)
	}
}

// TestTwoSenders: of two senders with the same series one is used, and that is
// reported. The other one takes over when the first stops.
func TestTwoSenders(t *testing.T) {
	b := taught(t, nil)
	scrape := func(reads float64) []point { return append(disk("fs1", "sda", reads), boot("fs1", -1000)) }
	for second := int64(15); second <= 60; second += 15 {
		b.sender = "prometheus"
		b.push(second, scrape(float64(second))...)
		b.sender = "replica"
		b.push(second+7, scrape(float64(second+7))...)
		b.pass(15)
	}
	b.want("fs1 15 sda=15", "fs1 30 sda=30", "fs1 45 sda=45", "fs1 60 sda=60")
	list, _ := b.Status(b.now)
	if want := "both prometheus (job \"node\") and replica (job \"node\") send data of fs1"; !strings.Contains(list[0].Trouble, want) {
		t.Errorf("%q", list[0].Trouble)
	}
	b.readings = nil
	for second := int64(82); second <= 127; second += 15 { // prometheus has stopped
		b.push(second, scrape(float64(second))...)
		b.pass(15)
	}
	b.want("fs1 97 sda=97", "fs1 112 sda=112", "fs1 127 sda=127")
}

// TestRecorderFirst: limpet-record takes precedence over node_exporter on the
// same server, since it has more series.
func TestRecorderFirst(t *testing.T) {
	b := taught(t, nil)
	recorder := func(second int64) (points []point) {
		for _, p := range disk("fs1", "sda", float64(second)) {
			points = append(points, point{strings.ReplaceAll(p.series, "9100,job=node", "9101,job=limpet"), p.value})
		}
		return append(points,
			point{"limpet_uptime_seconds{instance=fs1:9101,job=limpet}", float64(1000 + second)},
			point{"limpet_sample_timestamp_seconds{instance=fs1:9101,job=limpet}", float64(begin + second)})
	}
	for second := int64(15); second <= 60; second += 15 {
		b.push(second, append(disk("fs1", "sda", 1), boot("fs1", -1000))...)
		b.push(second, recorder(second-1)...)
		b.pass(15)
	}
	b.want("fs1 15 sda=1", "fs1 29 sda=29", "fs1 44 sda=44", "fs1 59 sda=59")
}

// TestStuckRecorder: a recorder that answers and does not sample gives no
// records, and that is reported.
func TestStuckRecorder(t *testing.T) {
	b := newBench(t, nil)
	for second := int64(0); second <= 75; second += 15 {
		shown := min(second, 15)
		var batch Batch
		batch.Reset("instance")
		batch.Whole = true
		for _, p := range append(disk("fs1", "sda", float64(shown+1)),
			point{"limpet_uptime_seconds{instance=fs1:9100,job=node}", float64(1000 + shown)},
			point{"limpet_sample_timestamp_seconds{instance=fs1:9100,job=node}", float64(begin + shown)}) {
			batch.Begin(labels(p.series))
			batch.Sample((begin+second)*1000, p.value)
		}
		b.send(&batch)
		b.pass(15)
	}
	b.want("fs1 0 sda=1", "fs1 15 sda=16")
	list, _ := b.Status(b.now)
	if !strings.Contains(list[0].Trouble, "several times: check whether the recorder still runs") {
		t.Error(list[0].Trouble)
	}
}

// TestRestartOfOurs: after a restart of limpet the second half of a scrape is
// no reading; a whole scrape is.
func TestRestartOfOurs(t *testing.T) {
	memory := Memory{
		Time: time.Unix(begin, 0), Uptime: 100000,
		Devices: []sysstat.Device{{Major: 8, Minor: 0, Name: "sda"}, {Major: 8, Minor: 16, Name: "sdb"}},
		Disks:   []sysstat.Disk{{Major: 8, Minor: 0, IOs: 4}, {Major: 8, Minor: 16, IOs: 4}},
	}
	whole := all(disk("fs1", "sda", 5), disk("fs1", "sdb", 5), []point{boot("fs1", -1000)})
	for _, c := range []struct {
		name  string
		first []point
		want  []string
	}{
		{"whole", whole, []string{"fs1 15 sda=5 sdb=5", "fs1 30 sda=5 sdb=5"}},
		{"without a disk", whole[8:], []string{"fs1 30 sda=5 sdb=5"}},
		{"without a counter", whole[1:], []string{"fs1 30 sda=5 sdb=5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			b.memory = memory
			b.push(15, c.first...)
			b.pass(11)
			b.push(30, whole...)
			b.want(c.want...)
		})
	}
}

// TestAnyOrder: the readings do not depend on how samples are spread over
// requests.
func TestAnyOrder(t *testing.T) {
	run := func(cut func([]point) [][]point) []string {
		b := taught(t, nil)
		for second := int64(15); second <= 120; second += 15 {
			var scrape []point
			for i, device := range []string{"sda", "sdb", "nvme0n1"} {
				if i == 1 && second > 60 {
					scrape = append(scrape, ended(disk("fs1", device, 0))...)
					continue
				}
				scrape = append(scrape, disk("fs1", device, float64(second+int64(i)))...)
			}
			for _, piece := range cut(append(scrape, boot("fs1", -1000))) {
				b.push(second, piece...)
			}
			b.pass(15)
		}
		for i, line := range b.readings { // numbers, and so the order, depend on when a device was new
			words := strings.Fields(line)
			slices.Sort(words)
			b.readings[i] = strings.Join(words, " ")
		}
		return b.readings
	}
	want := run(func(all []point) [][]point { return [][]point{all} })
	if len(want) != 8 {
		t.Fatalf("%q", want)
	}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 7))
		got := run(func(all []point) (pieces [][]point) {
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for len(all) > 0 {
				n := 1 + random.IntN(len(all))
				pieces, all = append(pieces, all[:n]), all[n:]
			}
			return pieces
		})
		// A new series is unknown until its first sample: a scrape is written
		// as soon as it has all fields of the scrapes before.
		if !slices.Equal(got[1:], want[1:]) {
			t.Errorf("seed %d:\n\t%s\nnot\n\t%s", seed, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}
