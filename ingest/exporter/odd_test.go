package exporter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFailingFiles: readings that cannot be written wait, and are not lost.
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

// TestBounds: invalid names, too many servers and devices, samples of next year
// and invalid values are refused, and the others are used.
func TestBounds(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxServers, o.MaxSubjects = 2, 3 })
	for _, name := range []string{"../../etc/passwd", ".hidden", "a\nb", strings.Repeat("x", 300), "a b", "-rf", "a\u202eb", "a\u0085b", ""} {
		var batch Batch
		batch.Reset("instance")
		if batch.Begin([]Label{{Name: []byte("__name__"), Value: []byte("node_boot_time_seconds")}, {Name: []byte("instance"), Value: []byte(name)}}) {
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

// TestNamesThatChange: servers that are gone make room for others.
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

// TestManyNames: the search for servers that are gone runs once a minute,
// whatever the number of new names.
func TestManyNames(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MaxServers = 1 })
	b.push(0, boot("fs1", 0))
	b.pass(3600)
	b.push(3600, boot("evil1", 0)) // the last sample of fs1 is just an hour old
	b.pass(30)
	b.push(3630, boot("evil2", 0))
	if b.counts.Refused != 2 {
		t.Errorf("%+v", b.counts)
	}
	b.pass(30)
	b.push(3660, boot("fs2", 0))
	if b.counts.Refused != 2 || b.counts.Kept != 2 {
		t.Errorf("a minute later: %+v", b.counts)
	}
	b.pass(-365 * 86400)
	b.push(-365*86400, boot("fs3", 0))
	if b.lastSearch != b.now {
		t.Error("a clock that is set back keeps room from others for a year")
	}
}

// TestClockSetBack: after a clock was a year ahead for some scrapes, later
// samples are not late for a year.
func TestClockSetBack(t *testing.T) {
	const year = 365 * 86400
	b := taught(t, nil)
	b.push(15, append(disk("fs1", "sda", 5), boot("fs1", -1000))...)
	b.pass(year)
	b.push(year+15, append(disk("fs1", "sda", 6), boot("fs1", -1000))...)
	b.pass(15)
	b.pass(-year)
	for i := range int64(4) {
		b.push(45+15*i, append(disk("fs1", "sda", float64(7+i)), boot("fs1", -1000))...)
		b.pass(15)
	}
	if b.counts.Late+b.counts.Duplicate > 0 || !slices.Contains(b.readings, "fs1 90 sda=10") {
		t.Errorf("%+v: %q", b.counts, b.readings)
	}
}

// TestNeverAgain: a series that stops without a staleness marker costs
// enoughGaps gaps, and then only itself.
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

// TestDriveReplaced: the staleness marker of the old drive's info series does
// not bring the old drive back, in any order of samples.
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

// TestRoom: memory is bounded for any number of names, and known servers
// continue.
func TestRoom(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxCells, o.MaxSubjects = 3000, 1000 })
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

// FuzzSamples: for any samples in any order, the readings of a server are in
// time order, and have only counters of their time.
func FuzzSamples(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Add([]byte(strings.Repeat("\x00\x01\x02\x03\x04\x05\x06\x07\x08", 20)))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := newBench(t, func(o *Options) { o.MaxPending, o.MaxServers, o.MaxSubjects = 3, 2, 4 })
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

// TestManyPending: shards that are far apart hold at most MaxPending scrapes.
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

// TestUselessDevice: a disk with missing counters is left out, and that is
// reported.
func TestUselessDevice(t *testing.T) {
	b := taught(t, nil)
	for second := int64(15); second <= 30; second += 15 {
		b.push(second, append(all(disk("fs1", "sda", 5), disk("fs1", "sdb", 5)[1:]), boot("fs1", -1000))...)
	}
	b.want("fs1 15 sda=5", "fs1 30 sda=5")
	list, _ := b.Status(b.now)
	if !strings.Contains(list[0].Trouble, "sdb of server fs1 is left out, because some of its counters are missing") {
		t.Error(list[0].Trouble)
	}
}

// TestPeersComeAndGo: the state of remote hosts that are gone is forgotten.
func TestPeersComeAndGo(t *testing.T) {
	b := taught(t, func(o *Options) { o.MaxSubjects = 5 })
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

// TestNodename: where instances are addresses, servers may have their own
// names. Two servers with one name are kept apart.
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

// TestNumbers: a device keeps its exported number. A device without one gets a
// number that it keeps over restarts. A replaced drive is another device.
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
	again.memory = Memory{Devices: b.last.Devices, Time: time.Unix(begin+15, 0), Uptime: b.last.Uptime, Disks: b.last.Sample.Disks}
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

// TestShares: a program that pushes names many servers. One address of a token
// has a quarter of the room, the token half of it, and all names that were there
// stay. Servers of other senders are accepted, and a server that is gone gives
// its room back.
func TestShares(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MaxServers = 16 })
	take := func(from Sender, server string) string {
		var batch Batch
		batch.Reset("instance")
		if !batch.Begin(labels(boot(server, 0).series)) {
			t.Fatal("the series is not used")
		}
		batch.Sample(b.now.UnixMilli(), 1)
		_, why := b.Take(&batch, from, b.now)
		return why
	}
	kept := map[string]int{}
	for i := range 40 {
		from := Sender{Name: "evil", Address: fmt.Sprintf("10.0.0.%d", i%4)}
		if take(from, fmt.Sprint("evil", i)) == "" {
			kept[from.Address]++
			kept["all"]++
		}
	}
	if kept["all"] != 8 || kept["10.0.0.0"] != 2 {
		t.Errorf("%v", kept)
	}
	lone := Sender{Name: "lone", Address: "10.0.0.9"}
	for i := range 5 {
		why := take(lone, fmt.Sprint("fs", i))
		if i < 4 != (why == "") {
			t.Errorf("fs%d: %s", i, why)
		}
		if i == 4 && !strings.Contains(why, `lone at 10.0.0.9 sends data of more than 4 servers, which is the limit for one sender, so server "fs4" is left out`) {
			t.Error(why)
		}
	}
	if why := take(Sender{Name: "evil", Address: "10.0.0.0"}, "evil0"); why != "" { // it was there
		t.Error(why)
	}
	b.pass(3700)
	if why := take(lone, "fs9"); why != "" {
		t.Errorf("servers that are gone give no room: %s", why)
	}
}

// TestCellsAreShared: the devices of one token take half of the memory, and
// others can begin scrapes.
func TestCellsAreShared(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MaxSubjects, o.MaxCells = 50, 100 })
	take := func(from Sender, points ...point) Counts {
		var batch Batch
		batch.Reset("instance")
		for _, p := range points {
			batch.Begin(labels(p.series))
			batch.Sample(b.now.UnixMilli(), p.value)
		}
		c, _ := b.Take(&batch, from, b.now)
		return c
	}
	evil, good := Sender{Name: "evil", Address: "10.0.0.1"}, Sender{Name: "good", Address: "10.0.0.2"}
	var refused uint64
	for i := range 10 {
		for k := range 10 {
			refused += take(evil, disk(fmt.Sprint("evil", i), fmt.Sprint("sd", k), 1)...).Refused
		}
	}
	if refused == 0 {
		t.Error("one token has all cells")
	}
	if c := take(good, disk("fs1", "sda", 1)...); c.Kept != 8 {
		t.Errorf("%+v", c)
	}
}

// TestKnownServers: after a restart, servers with files have room before new
// names, for an hour.
func TestKnownServers(t *testing.T) {
	b := newBench(t, func(o *Options) { o.MaxServers = 3 })
	b.Reserve([]string{"oldest", "fs1", "fs2"}, b.now)
	b.push(0, boot("new1", 0))
	b.push(0, boot("fs1", 0))
	if b.counts.Refused != 1 || b.counts.Kept != 1 {
		t.Errorf("%+v", b.counts)
	}
	b.pass(3700)
	b.push(3700, boot("new1", 0))
	if b.counts.Refused != 1 {
		t.Errorf("%+v", b.counts)
	}
}
