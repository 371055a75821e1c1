package symptom

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// simulated is the disk of a server that clients read from at random places.
type simulated struct {
	*testbench.Disk[int]
	rng    *rand.Rand
	next   float64 // time of the next read
	every  float64 // mean seconds between reads
	bytes  float64 // of a read
	bursts float64 // bytes per second that clients write, and that the kernel writes back every half minute
	before testbench.Counters
}

// newSimulated returns a disk of 3 MB/s and 150 requests a second, as it stands below a GlusterFS
// that was recorded, with a speed as a multiple of that.
func newSimulated(seed uint64, speed, every, bytes, bursts float64) *simulated {
	m := &testbench.Model{BytesPerSecond: 3e6, Size: 2e9, LeastSeconds: 1. / 150 / speed, RequestBytes: 128 << 10, LayoutSpread: 0.03}
	rng := rand.New(rand.NewPCG(seed, 4))
	return &simulated{Disk: testbench.NewDisk(m, rng, speed, 1, func(int) {}), rng: rng, every: every, bytes: bytes, bursts: bursts}
}

// second works for a second and returns what the server recorded.
func (d *simulated) second(at int) machine {
	const interval = 30 // dirty_expire_centisecs
	end := float64(at + 1)
	if d.bursts > 0 && at%interval == 0 {
		d.Submit(0, true, 1e9, interval*d.bursts)
	}
	for ; d.next < end; d.next += d.every * d.rng.ExpFloat64() {
		d.Work(max(d.next, d.Now()))
		d.Submit(0, false, 1e9*d.rng.Float64(), d.bytes)
	}
	d.Work(end)
	now := d.Counters()
	old := d.before
	d.before = now
	m := usualMachine()
	ios := float64(now.IOs - old.IOs)
	read, written := now.ReadBytes-old.ReadBytes, now.WriteBytes-old.WriteBytes
	m[window.TPS], m[window.Read], m[window.Written] = ios, read/sectorBytes, written/sectorBytes
	m[window.Await] = 0
	if ios > 0 {
		m[window.Await] = 1000 * (now.ReadSeconds + now.WriteSeconds - old.ReadSeconds - old.WriteSeconds) / ios
	}
	m[window.Util] = 100 * (now.BusySeconds - old.BusySeconds)
	m[window.RxBytes], m[window.TxBytes] = d.bursts+5e4, read+5e4
	m[window.RxPackets], m[window.TxPackets] = m[window.RxBytes]/fullFrame, m[window.TxBytes]/fullFrame
	return m
}

// judged runs six servers for five minutes, and returns the last finding about the first of them, the
// ratio of its wait to the others', and the ratio of its bytes.
func judged(t *testing.T, first *simulated) (last *finding.Finding, wait, work float64) {
	t.Helper()
	disks := []*simulated{first}
	for i := range 5 {
		disks = append(disks, newSimulated(uint64(i), 1, 1./35, 32<<10, 0))
	}
	system := plain(len(disks)).System()
	d, err := New(DefaultOptions(), criteria.DefaultOptions(), onset.DefaultOptions(), blame.NewMap(system), schema(system, 1))
	if err != nil {
		t.Fatal(err)
	}
	row := table.NewRow(schema(system, 1))
	var waited, bytes, ios [6]float64
	for at := range 300 {
		row.End = begin + int64(at) + 1
		var machines []machine
		for i, disk := range disks {
			m := disk.second(at)
			machines = append(machines, m)
			waited[i] += m[window.Await] * m[window.TPS]
			ios[i] += m[window.TPS]
			bytes[i] += m[window.Read] + m[window.Written]
		}
		fill(row, system, machines)
		d.Push(row, noneIdle, func(_ int64, found []finding.Finding) {
			for i := range found {
				if found[i].Place.Name != "ios1" {
					t.Errorf("%s is accused", found[i].Place.Name)
				}
				last = &found[i]
			}
		})
	}
	return last, waited[0] / ios[0] / (waited[1] / ios[1]), bytes[0] / bytes[1]
}

// TestOtherRequests: a healthy drive with a fifth more work, a part of which is written back in
// bursts, waits many times as long as its peers. It is not reported as a slow drive without doubt. A
// drive with the requests of its peers and a slower device is.
func TestOtherRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		disk    *simulated
		doubt   bool
		differs []string
	}{
		"a fifth more, written back in bursts": {newSimulated(9, 1, 1./35, 32<<10, 0.2*35*32<<10), true, []string{finding.ReadsOfAll}},
		"a fifth more, in large requests":      {newSimulated(9, 1, 1./35*8/1.2, 256<<10, 0), true, []string{metric.AvgRqSz.Name}},
		"the same requests, a slower device":   {newSimulated(9, 0.44, 1./35, 32<<10, 0), false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, wait, work := judged(t, tt.disk)
			t.Logf("waits %.3g times as long, with %.3g times the bytes", wait, work)
			if wait < 5 {
				t.Fatalf("the wait is %.3g times that of a peer, which shows nothing", wait)
			}
			if f == nil || f.Kind != finding.DiskBusy {
				t.Fatalf("found %+v", f)
			}
			var differs []string
			for _, e := range f.Evidence {
				if e.Scale == finding.TimesApart || e.Scale == finding.PointsApart {
					differs = append(differs, e.Metric)
				}
			}
			if (f.MayBe == finding.WorkloadImbalance) != tt.doubt || !slices.Equal(differs, tt.differs) {
				t.Errorf("may be %q, differs in %q: %+v", f.MayBe, strings.Join(differs, ", "), f.Evidence)
			}
			ruled := slices.ContainsFunc(f.RuledOut, func(r finding.RuledOut) bool { return r.Kind == finding.WorkloadImbalance && r.Reason == finding.Below })
			if ruled == tt.doubt {
				t.Errorf("other requests are ruled out: %t", ruled)
			}
		})
	}
}

// TestMoreWork: a drive that waits far longer with a fifth more work, and is no busier than that
// makes its peers, may be healthy. With the same work, or if it is busier, it is slow.
func TestMoreWork(t *testing.T) {
	for name, tt := range map[string]struct {
		mb, util float64
		doubt    bool
	}{
		"a fifth more":             {6, 48, true},
		"the same":                 {0, 40, false},
		"a fifth more, and busier": {6, 80, false},
	} {
		machines := alike(7)
		serves(tt.mb, 220, tt.util, true)(&machines[0])
		system := plain(7).System()
		d, err := New(DefaultOptions(), criteria.DefaultOptions(), onset.DefaultOptions(), blame.NewMap(system), schema(system, 1))
		if err != nil {
			t.Fatal(err)
		}
		row := table.NewRow(schema(system, 1))
		var last finding.Finding
		for i, of := range steady(machines, 256) {
			row.End = begin + int64(i) + 1
			fill(row, system, of)
			d.Push(row, noneIdle, func(_ int64, found []finding.Finding) {
				if len(found) == 1 {
					last = found[0]
				}
			})
		}
		if last.Kind != finding.DiskBusy || (last.MayBe == finding.WorkloadImbalance) != tt.doubt {
			t.Errorf("%s: %s, may be %q", name, last.Kind, last.MayBe)
		}
	}
}
