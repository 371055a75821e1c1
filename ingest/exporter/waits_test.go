package exporter

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/record/hoststat"
)

// waitsFiles keeps the waits of every reading.
type waitsFiles struct {
	kept
	samples []hoststat.Sample
	without int // number of readings without waits
}

func (k *waitsFiles) Write(r *Reading) error {
	if k.err != nil {
		return k.err
	}
	if !r.Waits {
		k.without++
		return k.kept.Write(r)
	}
	var s hoststat.Sample
	if err := hoststat.Decode(r.Sample.Custom[len(r.Sample.Custom)-1], &s); err != nil {
		return err
	}
	k.samples = append(k.samples, s)
	return k.kept.Write(r)
}

// pushWaits sends a scrape of fs1, and writes what is complete into files.
func (b *bench) pushWaits(files *waitsFiles, second int64, points ...point) {
	b.t.Helper()
	var batch Batch
	batch.Reset(b.o.ServerLabel)
	batch.Whole = true
	for _, p := range points {
		if !batch.Begin(labels(p.series)) {
			b.t.Fatalf("%s is not used", p.series)
		}
		batch.Sample((begin+second)*1000, p.value)
	}
	c, _ := b.Take(&batch, Sender{Name: b.sender}, b.now)
	b.counts.Add(c)
	_ = b.Flush(files, b.now, false)
	b.now = b.now.Add(15e9)
}

func fs1(name, more string, value float64) point {
	if more != "" {
		more = "," + more
	}
	return point{fmt.Sprintf("%s{instance=fs1:9100,job=node%s}", name, more), value}
}

// TestWaits: pressure, requests under way, room and temperatures of node_exporter become waits of the
// server.
func TestWaits(t *testing.T) {
	b, files := newBench(t, nil), &waitsFiles{}
	for i := range int64(4) {
		reads := []float64{100, 200, 200, 200}[i]
		points := all(disk("fs1", "sda", reads), disk("fs1", "dm-0", 7), disk("fs1", "nvme0n1", 5), []point{
			boot("fs1", -1000),
			fs1("node_disk_io_now", "device=sda", 3), fs1("node_disk_io_now", "device=dm-0", 0), fs1("node_disk_io_now", "device=nvme0n1", 0),
			fs1("node_disk_device_mapper_info", "device=dm-0,lv_layer=,lv_name=home,name=vg-home,uuid=LVM-1,vg_name=vg", 1),
			fs1("node_pressure_cpu_waiting_seconds_total", "", 7), fs1("node_pressure_io_waiting_seconds_total", "", 8), fs1("node_pressure_io_stalled_seconds_total", "", 6),
			fs1("node_pressure_memory_waiting_seconds_total", "", 5.25), fs1("node_pressure_memory_stalled_seconds_total", "", 4.5), fs1("node_procs_blocked", "", 2),
			fs1("node_filesystem_size_bytes", "device=/dev/sda1,fstype=xfs,mountpoint=/a,device_error=", 1000), fs1("node_filesystem_avail_bytes", "device=/dev/sda1,fstype=xfs,mountpoint=/a", 30),
			fs1("node_filesystem_files", "device=/dev/sda1,fstype=xfs,mountpoint=/a", 50), fs1("node_filesystem_files_free", "device=/dev/sda1,fstype=xfs,mountpoint=/a", 40),
			fs1("node_filesystem_readonly", "device=/dev/sda1,fstype=xfs,mountpoint=/a", 0),
			fs1("node_filesystem_size_bytes", "device=/dev/sda1,fstype=xfs,mountpoint=/var/lib/pods/1", 1000), // mounted twice
			fs1("node_filesystem_size_bytes", "device=/dev/mapper/vg-home,fstype=xfs,mountpoint=/home", 2000), fs1("node_filesystem_avail_bytes", "device=/dev/mapper/vg-home,fstype=xfs,mountpoint=/home", 500),
			fs1("node_filesystem_size_bytes", "device=/dev/sr0,fstype=iso9660,mountpoint=/media", 700), fs1("node_filesystem_avail_bytes", "device=/dev/sr0,fstype=iso9660,mountpoint=/media", 0),
			fs1("node_filesystem_size_bytes", "device=/dev/nvme0n1p2,fstype=ext4,mountpoint=/ro", 700), fs1("node_filesystem_avail_bytes", "device=/dev/nvme0n1p2,fstype=ext4,mountpoint=/ro", 0),
			fs1("node_filesystem_readonly", "device=/dev/nvme0n1p2,fstype=ext4,mountpoint=/ro", 1),
			fs1("node_hwmon_temp_celsius", "chip=nvme_nvme0,sensor=temp1", 84.85), fs1("node_hwmon_temp_max_celsius", "chip=nvme_nvme0,sensor=temp1", 83.85), fs1("node_hwmon_temp_alarm", "chip=nvme_nvme0,sensor=temp1", 1),
		})
		b.pushWaits(files, 15*i, points...)
	}
	if len(files.samples) < 3 || files.without > 0 || b.counts.Refused > 0 {
		t.Fatalf("%d readings with waits, %d without, counts %+v", len(files.samples), files.without, b.counts)
	}
	s := &files.samples[len(files.samples)-1]
	want := [hoststat.NumResources]hoststat.Pressure{hoststat.CPU: {Some: 7e6}, hoststat.IO: {Some: 8e6, Full: 6e6}, hoststat.Memory: {Some: 5_250_000, Full: 4_500_000}}
	if s.Pressure != want || s.Tasks.Blocked != 2 {
		t.Errorf("pressure %v, %d tasks blocked", s.Pressure, s.Tasks.Blocked)
	}
	number := func(name string) [2]uint32 {
		for _, d := range files.last.Devices {
			if d.Name == name {
				return [2]uint32{d.Major, d.Minor}
			}
		}
		t.Fatalf("there is no device %s", name)
		return [2]uint32{}
	}
	sda, dm, nvme := number("sda"), number("dm-0"), number("nvme0n1")
	if got, want := fmt.Sprint(s.FileSystems), fmt.Sprint([]hoststat.FileSystem{
		{Major: dm[0], Minor: dm[1], Bytes: 2000, FreeBytes: 500, Mount: "/dev/mapper/vg-home"},
		{Major: sda[0], Minor: sda[1], Bytes: 1000, FreeBytes: 30, Files: 50, FreeFiles: 40, Mount: "/dev/sda1"},
	}); got != want {
		t.Errorf("file systems %v, want %v", got, want)
	}
	if want := []hoststat.Drive{{Major: nvme[0], Minor: nvme[1], MilliCelsius: 84850, Limit: 83850, Alarm: true}}; !slices.Equal(s.Drives, want) {
		t.Errorf("drives %v, want %v", s.Drives, want)
	}
	var stuck []string
	for _, s := range files.samples {
		stuck = append(stuck, fmt.Sprintf("%d done, %d under way, still %d", s.Completed, s.InFlight[0].Requests, s.InFlight[0].Still))
	}
	if got, want := strings.Join(stuck[len(stuck)-3:], "; "), "100 done, 3 under way, still 0; 0 done, 3 under way, still 1; 0 done, 3 under way, still 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWaitsWrittenAgain: a reading that could not be written counts its requests once.
func TestWaitsWrittenAgain(t *testing.T) {
	b, files := newBench(t, nil), &waitsFiles{}
	for i := range int64(4) {
		files.err = nil
		if i == 2 {
			files.err = fmt.Errorf("the disk is full")
		}
		b.pushWaits(files, 15*i, append(disk("fs1", "sda", 100+float64(min(i, 1))), boot("fs1", -1000), fs1("node_disk_io_now", "device=sda", 1))...)
		if i == 2 {
			_ = b.Flush(files, b.now, true)
			files.err = nil
			_ = b.Flush(files, b.now, true)
		}
	}
	last := files.samples[len(files.samples)-1]
	if len(last.InFlight) != 1 || last.InFlight[0].Still != 2 {
		t.Errorf("requests under way: %+v", last.InFlight)
	}
}

// TestNoWaits: a server without these series has no waits, and other sensors and file systems are not used.
func TestNoWaits(t *testing.T) {
	b, files := newBench(t, nil), &waitsFiles{}
	for i := range int64(3) {
		b.pushWaits(files, 15*i, append(disk("fs1", "sda", 5), boot("fs1", -1000), fs1("node_procs_blocked", "", 0))...)
	}
	if len(files.samples) > 0 || files.without == 0 {
		t.Errorf("%d readings with waits, %d without", len(files.samples), files.without)
	}
	for _, series := range []string{
		"node_filesystem_size_bytes{instance=fs1,device=tmpfs,mountpoint=/run}", "node_filesystem_size_bytes{instance=fs1,device=/dev/fuse/x,mountpoint=/m}",
		"node_hwmon_temp_celsius{instance=fs1,chip=platform_coretemp_0,sensor=temp1}", "node_hwmon_temp_celsius{instance=fs1,chip=nvme_nvme0,sensor=temp2}",
	} {
		var batch Batch
		if batch.Reset("instance"); batch.Begin(labels(series)) {
			t.Errorf("%s is used", series)
		}
	}
}

// TestWaitsInRows: what node_exporter exports about waits and room is in the rows that are made from the files of
// the spool, also after a restart of limpet.
func TestWaitsInRows(t *testing.T) {
	dir := t.TempDir()
	stalled := 0.0
	for half := range int64(2) { // limpet is started twice
		b, files := newBench(t, nil), open(t, dir)
		b.now = b.now.Add(300e9 * time.Duration(half))
		for i := 20 * half; i < 20*half+20; i++ {
			if i%4 == 2 {
				stalled += 9 // of 15 s
			}
			var batch Batch
			batch.Reset(b.o.ServerLabel)
			batch.Whole = true
			for _, p := range all(disk("fs1", "sda", 100+10*float64(i)), []point{
				boot("fs1", -1000), fs1("node_pressure_memory_waiting_seconds_total", "", 50+stalled), fs1("node_pressure_memory_stalled_seconds_total", "", stalled),
				fs1("node_filesystem_size_bytes", "device=/dev/sda1,mountpoint=/a", 1000), fs1("node_filesystem_avail_bytes", "device=/dev/sda1,mountpoint=/a", 500-float64(i)),
			}) {
				batch.Begin(labels(p.series))
				batch.Sample((begin+15*i)*1000, p.value)
			}
			b.Take(&batch, Sender{Name: b.sender}, b.now)
			if err := b.Flush(files, b.now, false); err != nil {
				t.Fatal(err)
			}
			b.now = b.now.Add(15e9)
		}
		if err := files.Close(); err != nil {
			t.Fatal(err)
		}
	}
	src, err := activity.Open(context.Background(), []string{dir}, activity.Options{Metrics: []string{"await"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	pauses, seconds, rooms := uint32(0), float32(0), 0
	for {
		row, err := src.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		x := &row.Gauges[0]
		pauses, seconds = pauses+x.PausesBegan, seconds+x.PauseSeconds[table.ByMemory]
		for _, r := range x.Drives {
			if rooms++; r.Bytes != 1000 || r.Free < 460 || r.Free > 500 || !math.IsNaN(r.Hot) {
				t.Errorf("room %+v", r)
			}
		}
		if !x.Known {
			t.Errorf("the row at %d has no waits", row.End)
		}
	}
	if pauses < 9 || pauses > 10 || seconds != 9*float32(pauses) || rooms < 35 {
		t.Errorf("%d pauses, %g s, %d rows with room", pauses, seconds, rooms)
	}
}
