package blklat_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const records = 5

// itemsAt are those of a record: none in the first, then one more in each.
func itemsAt(n int) (items []blklat.Item) {
	for i := range n {
		items = append(items, blklat.Item{
			Major: 8, Minor: uint32(16 * i), Op: blklat.Op(i % blklat.Ops), Requests: uint64(n), DeviceNs: 1 << 40,
			Device: blklat.Histogram{{Bucket: uint16(i), Requests: 1}, {Bucket: 300, Requests: uint32(n)}},
			Queue:  blklat.Histogram{{Bucket: 0, Requests: uint32(n) + 1}},
		})
	}
	return items
}

// write writes a small activity file, with or without latencies.
func write(t *testing.T, latencies bool) []byte {
	t.Helper()
	var out bytes.Buffer
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", start
	if latencies {
		o.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	}
	w, err := sysstat.NewWriter(&out, o)
	if err != nil {
		t.Fatal(err)
	}
	for n := range records {
		raw := blklat.AppendHead(nil, 7, uint64(n+1), 0)
		for _, i := range itemsAt(n) {
			raw = blklat.AppendItem(raw, &i)
		}
		busy := uint64(n * n)
		s := &sysstat.Sample{
			CPUs:            []sysstat.CPU{{Idle: busy}, {Idle: busy}},
			Disks:           []sysstat.Disk{{Major: 8, IOs: 1 + 10*busy, ReadSectors: 80 * busy}},
			Interfaces:      []sysstat.Interface{{Name: "eth0", RxBytes: 1e6 * busy}},
			InterfaceErrors: []sysstat.InterfaceErrors{{Name: "eth0"}},
			Custom:          [][]byte{raw},
		}
		if err := w.WriteStats(start.Add(time.Duration(n)*time.Second), uint64(1000+100*n), s); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestThroughFile(t *testing.T) {
	r, err := sysstat.NewReader(bytes.NewReader(write(t, true)), "fs1")
	if err != nil {
		t.Fatal(err)
	}
	for n := range records {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		raw, _, _ := rec.Items(blklat.ID)
		var got blklat.Sample
		if err := blklat.Decode(raw, &got); err != nil {
			t.Fatal(err)
		}
		if want := itemsAt(n); got.Sequence != uint64(n+1) || len(want) > 0 && !reflect.DeepEqual(got.Items, want) {
			t.Errorf("record %d: got %+v, want %+v", n, got, want)
		}
	}
	if len(r.Warnings()) > 0 {
		t.Errorf("warnings: %v", r.Warnings())
	}
}

// TestSysstat: sar and sadf print of a file what they print of it without
// latencies, and complain of nothing.
func TestSysstat(t *testing.T) {
	dir := t.TempDir()
	for name, latencies := range map[string]bool{"plain": false, "full": true} {
		if err := os.WriteFile(filepath.Join(dir, name), write(t, latencies), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"sar -A -f FILE", "sar -d -f FILE", "sadf -d FILE -- -A", "sadf -j FILE -- -A"} {
		plain, full := printed(t, dir, "plain", command), printed(t, dir, "full", command)
		if plain == "" || full != plain {
			t.Errorf("%s prints\n%s\nwithout latencies\n%s", command, full, plain)
		}
	}
}

// printed is what a tool of sysstat writes, errors too.
func printed(t *testing.T, dir, file, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", `exec `+command)
	cmd.Args[2] = string(bytes.ReplaceAll([]byte(cmd.Args[2]), []byte("FILE"), []byte(file)))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C", "TZ=UTC", "S_COLORS=never")
	if _, err := exec.LookPath("sadf"); err != nil {
		t.Skip("sadf is not installed (package sysstat)")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}
