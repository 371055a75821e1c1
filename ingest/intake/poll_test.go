package intake

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/store/storetest"
	"github.com/limpet-storage/limpet/record/sysstat"
)

const polls = 120 // half an hour

// TestPolled: every scrape of every server is in its file once, though one
// server's samples come ten minutes late, some series half a minute after
// others, the store is unreachable for a while, and limpet is restarted.
func TestPolled(t *testing.T) {
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f := storetest.NewFailing(t)
	for k := range int64(polls) {
		for _, host := range []string{"fs1", "fs2", "fs3"} {
			for _, device := range []string{"sda", "sdb"} {
				for _, name := range []string{
					"node_disk_reads_completed_total", "node_disk_writes_completed_total", "node_disk_read_bytes_total", "node_disk_written_bytes_total",
					"node_disk_read_time_seconds_total", "node_disk_write_time_seconds_total", "node_disk_io_time_seconds_total", "node_disk_io_time_weighted_seconds_total",
				} {
					f.Add(begin.UnixMilli()+k*15000, float64(k+1), name, "instance", host+":9100", "device", device)
				}
			}
			f.Add(begin.UnixMilli()+k*15000, 1e9, "node_boot_time_seconds", "instance", host+":9100")
		}
	}
	now := begin
	f.Hide = func(labels map[string]string, t int64) bool {
		at, clock := t-begin.UnixMilli(), now.UnixMilli()-begin.UnixMilli()
		switch {
		case labels["instance"] == "fs2:9100" && at > 300_000 && at <= 900_000: // it is cut off
			return clock < 960_000
		case labels["instance"] == "fs3:9100" && labels["device"] == "sdb":
			return clock < at+30_000
		}
		return clock < at
	}
	f.Fail = func(_ int, _ string, _, _ int64) (int, string) {
		if at := now.Sub(begin); at > 20*time.Minute && at < 22*time.Minute {
			return 404, "away"
		}
		return 0, ""
	}
	dir := t.TempDir()
	open := func() *Intake {
		o := DefaultOptions()
		store := DefaultStore()
		store.Name, store.Connect.Post.URL, store.Connect.FirstPause = "site", f.URL, time.Millisecond
		o.Stores, o.Now = []Store{store}, func() time.Time { return now }
		in, err := New(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	in := open()
	for k := 8; k < polls+20; k++ { // every series has samples by then
		f.Set(func() { now = begin.Add(time.Duration(k) * 15 * time.Second) })
		in.poller.Poll(t.Context())
		in.closeScrapes()
		status := in.poller.Status()[0]
		if away := now.Sub(begin) > 20*time.Minute && now.Sub(begin) < 22*time.Minute; away == status.Up || away != strings.Contains(status.Trouble, "away") {
			t.Fatalf("at %v: %+v", now, status)
		}
		if k == 100 {
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			in = open()
		}
	}
	defer in.Close()
	for _, host := range []string{"fs1", "fs2", "fs3"} {
		if got := recordsOf(t, dir, host); got < polls-1 { // the first scrape shows which series to expect
			t.Errorf("%s has %d records of %d", host, got, polls)
		}
	}
}

// recordsOf counts the records of a server whose counters grow by one in each.
func recordsOf(t *testing.T, dir, host string) (n int) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, host+"-*.sa"))
	r, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last := uint64(0)
	for {
		rec, err := r.Next()
		if err != nil {
			return n
		}
		if rec.Type != sysstat.Stats {
			continue
		}
		disks := rec.Disks(nil)
		if len(disks) != 2 || last > 0 && disks[1].IOs != last+2 {
			t.Errorf("%s: record %d has %d disks, %d I/Os after %d", host, n, len(disks), disks[0].IOs, last)
		}
		last = disks[len(disks)-1].IOs
		n++
	}
}
