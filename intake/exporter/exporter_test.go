package exporter

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/intake/machine"
	"github.com/limpet-storage/limpet/intake/series"
	"github.com/limpet-storage/limpet/sysstat"
)

// kept is files in memory.
type kept struct {
	readings []string
	memory   machine.Memory
	recalled int
	err      error
	last     machine.Reading
}

func (k *kept) Recall(string) (machine.Memory, error) {
	k.recalled++
	return k.memory, nil
}

// Write keeps a line of a reading: server, second, restart, disks with their
// I/Os, interfaces with their bytes.
func (k *kept) Write(r *machine.Reading) error {
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
	k.memory = machine.Memory{Time: r.Time, Uptime: r.Uptime, Devices: slices.Clone(r.Devices), Disks: slices.Clone(r.Sample.Disks), Interfaces: slices.Clone(r.Sample.Interfaces)}
	k.last = machine.Reading{Server: r.Server, Uptime: r.Uptime, Devices: slices.Clone(r.Devices), Sample: sysstat.Sample{Disks: slices.Clone(r.Sample.Disks)}}
	return nil
}

// begin is the time that tests count seconds from.
const begin = 1_750_000_000

// A bench is a joiner, its files and a clock.
type bench struct {
	*Joiner
	kept
	t      testing.TB
	now    time.Time
	sender string
	counts machine.Counts
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
	return &bench{Joiner: j, t: t, now: time.Unix(begin, 0), sender: "prometheus"}
}

// labels reads name{a="b",c="d"} into labels.
func labels(text string) (list []series.Label) {
	name, rest, _ := strings.Cut(text, "{")
	list = append(list, series.Label{Name: []byte("__name__"), Value: []byte(name)})
	for _, pair := range strings.Split(strings.TrimSuffix(rest, "}"), ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			list = append(list, series.Label{Name: []byte(key), Value: []byte(value)})
		}
	}
	return list
}

// stale are the bits of the NaN that ends a series.
const stale = 0x7ff0000000000002

type point struct {
	series string
	value  float64
}

// push sends samples of a second in one request.
func (b *bench) push(second int64, points ...point) {
	b.t.Helper()
	var batch series.Batch
	batch.Reset(b.o.ServerLabel)
	for _, p := range points {
		if !batch.Begin(labels(p.series)) {
			b.t.Fatalf("%s is not used", p.series)
		}
		batch.Sample((begin+second)*1000, p.value)
	}
	b.send(&batch)
}

func (b *bench) send(batch *series.Batch) {
	b.counts.Add(b.Take(batch, b.sender, b.now))
	_ = b.Flush(&b.kept, b.now, false)
}

// pass lets time pass.
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

// disk is the series of a disk that has read so often.
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

// taught has been told of a machine before: its first scrape is not written.
func taught(t testing.TB, change func(*Options)) *bench {
	b := newBench(t, change)
	b.push(0, append(disk("fs1", "sda", 1), boot("fs1", -1000))...)
	b.pass(11)
	b.want()
	return b
}

// TestShards: the samples of a scrape come in any order and in several
// requests, and are written once all have come.
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

// TestGap: a scrape of which a part never comes is a gap, and the disk whose
// counters are missing has neither fallen to zero nor gone.
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

// TestWait: without newer samples a scrape that lacks something is a gap after
// a while, and from then on what is missing is taken to be gone.
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

// TestStale: what a sender says has ended is gone at once.
func TestStale(t *testing.T) {
	b := taught(t, nil)
	b.push(15, all(ended(disk("fs1", "sda", 0)), disk("fs1", "sdb", 9), []point{boot("fs1", -1000)})...)
	b.want("fs1 15 sdb=9")
	b.push(30, append(all(ended(disk("fs1", "sdb", 0))), point{boot("fs1", 0).series, math.Float64frombits(stale)})...)
	b.pass(20)
	b.want("fs1 15 sdb=9") // the target has gone
	b.push(60, append(disk("fs1", "sdb", 10), boot("fs1", -1000))...)
	b.want("fs1 15 sdb=9", "fs1 60 sdb=10")
}

// TestTargetReturns: an endpoint that was gone comes back in pieces, and the
// first scrape is whole nevertheless.
func TestTargetReturns(t *testing.T) {
	b := taught(t, nil)
	whole := all(disk("fs1", "sda", 5), disk("fs1", "sdb", 6), []point{boot("fs1", -1000)})
	b.push(15, whole...)
	for _, p := range ended(whole) {
		b.push(30, p) // each in a request of its own
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

// TestDuplicatesAndLate: what comes again changes nothing, what comes too late
// is counted.
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

// TestReboot: counters that begin anew after a start are told apart from those
// that fell: a restart is noted.
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

// TestClockOfMachine: uptime goes by the machine's own clock, so that a step
// of it is no restart and makes no interval longer.
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
	if !strings.Contains(list[0].Trouble, "1m40s ahead of that of prometheus") {
		t.Error(list[0].Trouble)
	}
}

// TestTwoSenders: of two that send the same, one is taken, and that is said;
// the other takes its place when it falls silent.
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
	if want := "both prometheus (job \"node\") and replica (job \"node\") tell of fs1"; !strings.Contains(list[0].Trouble, want) {
		t.Errorf("%q", list[0].Trouble)
	}
	b.readings = nil
	for second := int64(82); second <= 127; second += 15 { // prometheus is no more
		b.push(second, scrape(float64(second))...)
		b.pass(15)
	}
	b.want("fs1 97 sda=97", "fs1 112 sda=112", "fs1 127 sda=127")
}

// TestRecorderFirst: of node_exporter and limpet-record on one machine the
// latter is taken, as it tells more.
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

// TestStuckRecorder: a recorder that answers and samples no longer gives no
// records, and that is said.
func TestStuckRecorder(t *testing.T) {
	b := newBench(t, nil)
	for second := int64(0); second <= 75; second += 15 {
		shown := min(second, 15)
		var batch series.Batch
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
	if !strings.Contains(list[0].Trouble, "again and again") {
		t.Error(list[0].Trouble)
	}
}

// TestNumbers: a device whose number is told has it; another gets one that it
// keeps over restarts; a drive that is replaced is another.
func TestNumbers(t *testing.T) {
	info := func(device, rest string) point {
		return point{fmt.Sprintf("node_disk_info{instance=fs1:9100,job=node,device=%s,%s}", device, rest), 1}
	}
	b := taught(t, nil)
	b.push(15, all(disk("fs1", "sda", 5), disk("fs1", "weird", 6), disk("fs1", "other", 7),
		[]point{boot("fs1", -1000), info("sda", "major=8,minor=0,model=ST16000,serial=ZL2A,wwn=0x5000c500a1b2c3d4")})...)
	var text []string
	for _, d := range b.last.Devices {
		text = append(text, d.Comments()...)
	}
	want := "dev 8:0=sda wwn=0x5000c500a1b2c3d4 model=ST16000 serial=ZL2A, dev 4096:1=other, dev 4096:2=weird"
	if got := strings.Join(text, ", "); got != want {
		t.Errorf("%s", got)
	}
	if got := b.last.Sample.Disks[0].WWN; got != [2]uint64{0x5000c500a1b2c3d4, 0} {
		t.Errorf("%x", got)
	}
	numbers := map[string][2]uint32{}
	for _, d := range b.last.Devices {
		numbers[d.Name] = [2]uint32{d.Major, d.Minor}
	}
	again := newBench(t, nil)
	again.memory = machine.Memory{Devices: b.last.Devices, Time: time.Unix(begin+15, 0), Uptime: b.last.Uptime, Disks: b.last.Sample.Disks}
	again.push(30, all(disk("fs1", "new", 1), disk("fs1", "other", 8), disk("fs1", "sda", 9), disk("fs1", "weird", 6), []point{boot("fs1", -1000)})...)
	again.pass(11)
	if len(again.readings) != 1 {
		t.Fatalf("after a restart: %q", again.readings)
	}
	for _, d := range again.last.Devices {
		if was, known := numbers[d.Name]; known && was != [2]uint32{d.Major, d.Minor} || d.Name == "new" && d.Minor != 3 {
			t.Errorf("%s was %v and is %d:%d", d.Name, was, d.Major, d.Minor)
		}
	}
}

// TestRestartOfOurs: after our own restart a scrape of which the first part
// was lost with us is no reading; a whole one is.
func TestRestartOfOurs(t *testing.T) {
	memory := machine.Memory{
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

// TestFailingFiles: what cannot be written waits, and is not lost.
func TestFailingFiles(t *testing.T) {
	b := taught(t, nil)
	b.err = errors.New("no space")
	b.push(15, append(disk("fs1", "sda", 5), boot("fs1", -1000))...)
	b.pass(60)
	b.want()
	b.err = nil
	b.pass(1)
	b.want("fs1 15 sda=5")
}

// TestBounds: names that cannot be, too many machines and devices, samples of
// next year and of nonsense are refused, and the rest is taken.
func TestBounds(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxServers, o.MaxThings = 2, 3 })
	for _, name := range []string{"../../etc/passwd", ".hidden", "a\nb", strings.Repeat("x", 300), "a b", "-rf", "a\u202eb", "a\u0085b", ""} {
		var batch series.Batch
		batch.Reset("instance")
		if batch.Begin([]series.Label{{Name: []byte("__name__"), Value: []byte("node_boot_time_seconds")}, {Name: []byte("instance"), Value: []byte(name)}}) {
			batch.Sample(begin*1000, 1)
			b.send(&batch)
		}
	}
	_, trouble := b.Status(b.now)
	if b.counts.Refused != 8 || !strings.Contains(trouble, "cannot be") {
		t.Errorf("%d refused: %s", b.counts.Refused, trouble)
	}
	b.push(15, boot("fs2", 0), boot("fs3", 0))
	b.push(15, all(disk("fs1", "sda", 1), disk("fs1", "sdb", 1), disk("fs1", "sdc", 1), disk("fs1", "sdd", 1), disk("fs1", "sde", 1))...)
	list, _ := b.Status(b.now)
	if len(list) != 2 || list[0].Counts.Refused != 2*8 {
		t.Errorf("%+v", list)
	}
	refused := b.counts.Refused
	b.push(365*86400, disk("fs1", "sda", 1)...)
	b.push(-begin, disk("fs1", "sda", 1)...)
	for _, v := range []float64{-1, math.Inf(1), math.NaN(), 1e300} {
		b.push(20, point{disk("fs1", "sda", 0)[0].series, v})
	}
	if got := b.counts.Refused - refused; got != 8+8+4 {
		t.Errorf("%d samples were refused", got)
	}
}

// TestNamesThatChange: machines that are no more make room for others.
func TestNamesThatChange(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MaxServers = 3 })
	for i := range 12 {
		b.push(int64(i)*1800, boot(fmt.Sprintf("pod%d", i), 0))
		b.pass(1800)
	}
	if b.counts.Refused > 0 || b.counts.Kept != 12 {
		t.Errorf("%+v", b.counts)
	}
}

// TestAnyOrder: however the samples of a scrape are spread over requests, the
// readings are the same.
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
		for i, line := range b.readings { // numbers, and so the order, go by when a device was new
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
		// What is new in a scrape is only known to be when it has come: a scrape
		// is written as soon as it has all that was there before.
		if !slices.Equal(got[1:], want[1:]) {
			t.Errorf("seed %d:\n\t%s\nnot\n\t%s", seed, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}

// TestNeverAgain: a series that a sender ceases to send without a word costs
// so many gaps, and then only itself.
func TestNeverAgain(t *testing.T) {
	b := taught(t, nil)
	speed := point{"node_network_speed_bytes{instance=fs1:9100,job=node,device=eth0}", 125000}
	nic := []point{
		{"node_network_receive_bytes_total{instance=fs1:9100,job=node,device=eth0}", 7},
		{"node_network_receive_packets_total{instance=fs1:9100,job=node,device=eth0}", 7},
		{"node_network_transmit_bytes_total{instance=fs1:9100,job=node,device=eth0}", 7},
		{"node_network_transmit_packets_total{instance=fs1:9100,job=node,device=eth0}", 7},
	}
	for i := range int64(40) {
		scrape := append(all(disk("fs1", "sda", 5), nic), boot("fs1", -1000))
		if i < 10 {
			scrape = append(scrape, speed)
		}
		b.push(15*(i+1), scrape...)
		b.pass(15)
	}
	if got := len(b.readings); got != 20 || b.readings[19] != "fs1 600 sda=5 eth0=7" {
		t.Errorf("%d readings, the last %q", got, b.readings[len(b.readings)-1])
	}
}

// TestDriveReplaced: the end of the series that told of the old drive does not
// bring it back, in whatever order they come.
func TestDriveReplaced(t *testing.T) {
	info := func(wwn string, v float64) point {
		return point{fmt.Sprintf("node_disk_info{instance=fs1:9100,job=node,device=sda,major=8,minor=0,wwn=%s}", wwn), v}
	}
	const old, fresh = "0x5000c50000000001", "0x5000c50000000002"
	for _, oldFirst := range []bool{true, false} {
		b := taught(t, nil)
		b.push(15, append(disk("fs1", "sda", 5), boot("fs1", -1000), info(old, 1))...)
		changed := []point{info(fresh, 1), ended([]point{info(old, 1)})[0]}
		if oldFirst {
			slices.Reverse(changed)
		}
		b.push(30, append(changed, append(disk("fs1", "sda", 1), boot("fs1", -1000))...)...)
		if got := b.last.Sample.Disks[0].WWN[0]; got != 0x5000c50000000002 || len(b.readings) != 2 {
			t.Errorf("old first %t: %x, %q", oldFirst, got, b.readings)
		}
	}
}

// TestRoom: however many names are sent, what is held is bounded; what is known
// already goes on.
func TestRoom(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxCells, o.MaxThings = 3000, 1000 })
	for i := range 200 {
		for k := range 20 {
			b.push(int64(15+i), disk(fmt.Sprintf("pod%d", k), fmt.Sprint("d", i), 1)...)
		}
	}
	if b.size > 3000+1000 {
		t.Errorf("%d cells", b.size)
	}
	b.pass(60)
	sum := 0
	for _, m := range b.byName {
		sum += m.Size()
	}
	if sum != b.size {
		t.Errorf("%d cells are counted, there are %d", b.size, sum)
	}
	b.push(300, append(disk("fs1", "sda", 5), boot("fs1", -1000))...)
	b.want(slices.Concat(b.readings[:len(b.readings)-1], []string{"fs1 300 sda=5"})...)
}

// FuzzSamples: whatever is told in whatever order, readings of a machine are in
// the order of time, and show only counters that were told for that time.
func FuzzSamples(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Add([]byte(strings.Repeat("\x00\x01\x02\x03\x04\x05\x06\x07\x08", 20)))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := newBench(t, func(o *Options) { o.MaxPending, o.MaxServers, o.MaxThings = 3, 2, 4 })
		for len(text) >= 3 {
			which, when, how := text[0], int64(text[1]%32), text[2]
			text = text[3:]
			one := disk(fmt.Sprintf("fs%d", which%3), fmt.Sprint("d", which/3%6), float64(when+1))
			b.sender = fmt.Sprint("s", how%2)
			switch {
			case how < 40:
				one = ended(one)
			case how < 80:
				one = one[:int(how)%len(one)+1]
			case how < 90:
				b.pass(int(how))
			}
			b.push(when*15, one...)
		}
		b.pass(100)
		last := map[string]int{}
		for _, line := range b.readings {
			words := strings.Fields(line)
			second := 0
			fmt.Sscan(words[1], &second)
			if was, ok := last[words[0]]; ok && second <= was {
				t.Fatalf("%q", b.readings)
			}
			last[words[0]] = second
			for _, w := range words[2:] {
				if _, ios, ok := strings.Cut(w, "="); ok && ios != fmt.Sprint(second/15+1) {
					t.Fatalf("%q", line)
				}
			}
		}
	})
}

// TestNodename: where instances are addresses, machines may be called as they
// call themselves; two of one name are told apart.
func TestNodename(t *testing.T) {
	b := newBench(t, func(o *Options) { o.ByNodename = true })
	uname := func(server string) point {
		return point{fmt.Sprintf("node_uname_info{instance=%s:9100,job=node,nodename=fs1,release=6.1}", server), 1}
	}
	for second := int64(0); second <= 30; second += 15 {
		for _, server := range []string{"10.0.0.1", "10.0.0.2"} {
			b.push(second, append(disk(server, "sda", 1), boot(server, -1000), uname(server))...)
		}
		b.pass(15)
	}
	b.want("fs1 15 sda=1", "10.0.0.2 15 sda=1", "fs1 30 sda=1", "10.0.0.2 30 sda=1")
}

// TestUselessDevice: a disk of which some counters are never sent is left out,
// and that is said.
func TestUselessDevice(t *testing.T) {
	b := taught(t, nil)
	for second := int64(15); second <= 30; second += 15 {
		b.push(second, append(all(disk("fs1", "sda", 5), disk("fs1", "sdb", 5)[1:]), boot("fs1", -1000))...)
	}
	b.want("fs1 15 sda=5", "fs1 30 sda=5")
	list, _ := b.Status(b.now)
	if !strings.Contains(list[0].Trouble, "sdb of fs1 lacks some of its counters") {
		t.Error(list[0].Trouble)
	}
}

// TestManyPending: shards that are far apart hold so many scrapes and no more.
func TestManyPending(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxPending = 4 })
	scrape := append(disk("fs1", "sda", 5), boot("fs1", -1000))
	for second := int64(15); second <= 150; second += 15 {
		b.push(second, scrape[:5]...)
	}
	for second := int64(15); second <= 150; second += 15 {
		b.push(second, scrape[5:]...)
	}
	if got := len(b.readings); got != 4 {
		t.Errorf("%d readings: %q", got, b.readings)
	}
}

// TestPeersComeAndGo: what was kept of remote hosts that are no more is not.
func TestPeersComeAndGo(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxThings = 5 })
	for i := int64(1); i <= 200; i++ {
		peer := func(n int64, v float64) (points []point) {
			for _, name := range []string{"sockets", "cwnd_segments", "rtt_seconds", "retransmitted_segments_total", "delivered_segments_total", "sent_bytes_total", "received_bytes_total", "cwnd_delivered_segments_total"} {
				points = append(points, point{fmt.Sprintf("limpet_tcp_%s{instance=fs1:9100,job=node,remote=10.0.%d.%d,side=accepted}", name, n/250, n%250), v})
			}
			return points
		}
		b.push(15*i, all(disk("fs1", "sda", 5), peer(i, 1), ended(peer(i-1, 0)), []point{boot("fs1", -1000)})...)
		b.now = b.now.Add(15 * time.Second)
	}
	if len(b.readings) != 200 {
		t.Errorf("%d readings", len(b.readings))
	}
	if b.counts.Refused > 0 {
		t.Errorf("%+v", b.counts)
	}
}
