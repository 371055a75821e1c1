package exporter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// osdPoints are the series that a manager exports about two OSDs, which have done n reads and n/2
// commits each. Names of release 16 and of later releases differ.
func osdPoints(instance, extra string, n float64, later bool) (list []point) {
	commit := "ceph_bluestore_commit_lat"
	if later {
		commit = "ceph_bluestore_txc_commit_lat"
	}
	for i := range 2 {
		of := fmt.Sprintf("{ceph_daemon=osd.%d,instance=%s,job=ceph%s", i, instance, extra)
		list = append(list,
			point{"ceph_bluestore_read_lat_count" + of + "}", n}, point{"ceph_bluestore_read_lat_sum" + of + "}", n / 100},
			point{commit + "_count" + of + "}", n / 2}, point{commit + "_sum" + of + "}", n / 10},
			point{"ceph_osd_op_r_out_bytes" + of + "}", n * 4096}, point{"ceph_osd_op_w_in_bytes" + of + "}", n * 512},
			point{"ceph_osd_metadata" + of + fmt.Sprintf(",hostname=ceph%d,device_class=hdd,ceph_version=x}", i), 1},
			point{"ceph_disk_occupation" + of + ",device=/dev/dm-3,devices=sdb}", 1})
	}
	return list
}

// TestOSDs: the OSDs of a manager are disks of a server of their own, with what is known about them.
func TestOSDs(t *testing.T) {
	for _, later := range []bool{false, true} {
		b := newBench(t, nil)
		for s := int64(0); s < 4; s++ {
			b.push(15*s, osdPoints("m1:9283", "", float64(100+100*s), later)...)
			b.pass(15)
		}
		if want := "ceph 45 osd.0.read=400 osd.0.commit=200 osd.1.read=400 osd.1.commit=200"; b.readings[len(b.readings)-1] != want {
			t.Fatalf("%q, want %q", b.readings, want)
		}
		read, commit := b.last.Sample.Disks[0], b.last.Sample.Disks[1]
		if read.ReadTicks != 4000 || read.ReadSectors != 3200 || commit.WriteTicks != 40000 || commit.WriteSectors != 400 {
			t.Errorf("reads %+v, commits %+v", read, commit)
		}
		want := sysstat.Device{Major: sysstat.ServiceMajor, Minor: 2, Name: "osd.1.read", Class: "hdd", Host: "ceph1", On: "sdb"}
		if !slices.ContainsFunc(b.last.Devices, func(d sysstat.Device) bool { return fmt.Sprint(d) == fmt.Sprint(want) }) {
			t.Errorf("%+v, want %+v", b.last.Devices, want)
		}
	}
}

// TestManagerMoves: another host becomes the active manager. The counters are the same, so no scrape is
// lost, and none is written twice.
func TestManagerMoves(t *testing.T) {
	b := newBench(t, nil)
	for s := int64(0); s < 4; s++ {
		b.push(15*s, osdPoints("m1:9283", "", float64(100+100*s), false)...)
		b.pass(15)
	}
	var ends []point
	for _, p := range osdPoints("m1:9283", "", 0, false) {
		ends = append(ends, point{p.series, math.Float64frombits(stale)})
	}
	b.push(61, osdPoints("m2:9283", "", 505, false)...)
	b.push(62, ends...) // the series of the old manager end after those of the new one begin
	b.pass(15)
	b.push(76, osdPoints("m2:9283", "", 605, false)...)
	b.pass(15)
	b.push(91, osdPoints("m2:9283", "", 705, false)...)
	b.pass(15)
	var times []string
	for _, line := range b.readings {
		times = append(times, strings.Fields(line)[1])
	}
	if got := strings.Join(times, " "); !strings.HasSuffix(got, "30 45 61 76 91") {
		t.Errorf("readings at %s: want one for each scrape", got)
	}
	if strings.Contains(strings.Join(b.readings, "\n"), "restarted") {
		t.Errorf("the server counts as restarted:\n%s", strings.Join(b.readings, "\n"))
	}
}

// TestClusterNames: the label cluster names the cluster, and a machine of the same name is refused.
func TestClusterNames(t *testing.T) {
	b := newBench(t, nil)
	for s := int64(0); s < 3; s++ {
		b.push(15*s, osdPoints("m1:9283", ",cluster=prod", float64(100+100*s), false)...)
		b.pass(15)
	}
	if last := b.readings[len(b.readings)-1]; !strings.HasPrefix(last, "prod 30 ") {
		t.Errorf("%q, want a reading of prod", last)
	}
	var batch Batch
	batch.Reset(b.o.ServerLabel)
	batch.Begin(labels("node_disk_io_time_seconds_total{instance=prod:9100,device=sda}"))
	batch.Sample((begin+45)*1000, 1)
	if c, why := b.Take(&batch, Sender{Name: "x"}, b.now); c.Refused != 1 || !strings.Contains(why, "a machine and a Ceph cluster both have the name prod") {
		t.Errorf("refused %d samples: %q", c.Refused, why)
	}
	if batch.Begin(labels("ceph_bluestore_read_lat_count{ceph_daemon=mds.a,instance=m1:9283}")) {
		t.Error("a daemon that is no OSD is used")
	}
}

// TestNewManager: a manager that does not know its OSDs yet leaves a gap, and no record without them.
func TestNewManager(t *testing.T) {
	b := newBench(t, nil)
	for s := int64(0); s < 3; s++ {
		b.push(15*s, osdPoints("m1:9283", "", float64(100+100*s), false)...)
		b.pass(15)
	}
	n := len(b.readings)
	var batch Batch
	batch.Reset(b.o.ServerLabel)
	batch.Whole = true
	for _, p := range osdPoints("m2:9283", "", 0, false) {
		if strings.HasPrefix(p.series, "ceph_osd_op_r_out_bytes") {
			batch.Begin(labels(p.series))
			batch.Sample((begin+45)*1000, 1)
		}
	}
	b.Take(&batch, Sender{Name: b.sender}, b.now)
	if err := b.Flush(&b.kept, b.now, true); err != nil || len(b.readings) != n {
		t.Errorf("%v: readings %q", err, b.readings[n:])
	}
}
