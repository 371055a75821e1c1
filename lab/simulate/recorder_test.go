package simulate

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

func options() sysstat.WriterOptions {
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "ios3", hours(0)
	o.Custom = []sysstat.CustomActivity{{ID: 300, Size: 2}}
	return o
}

// TestRecorder wants back what was recorded, in its order, plain and
// compressed.
func TestRecorder(t *testing.T) {
	for _, name := range []string{"a.sa", "a.sa.zst"} {
		path := filepath.Join(t.TempDir(), name)
		rec, err := NewRecorder(path, options())
		if err != nil {
			t.Fatal(err)
		}
		const records = 3 * recordsAhead // so that samples go round
		recordSome(t, rec, records)
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		got := ""
		r, err := sysstat.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for i := 0; ; {
			record, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got += map[sysstat.RecordType]string{sysstat.Comment: "c", sysstat.Restart: "r", sysstat.Stats: "s"}[record.Type]
			if record.Type != sysstat.Stats {
				continue
			}
			disks := record.Disks(nil)
			if len(disks) != 1 || disks[0].IOs != uint64(i) || record.Uptime != uint64(100*i+1) || record.Time != hours(0).Unix()+int64(i) {
				t.Errorf("%s: record %d at %d, up %d, has %+v", name, i, record.Time, record.Uptime, disks)
			}
			if raw, _, _ := record.Items(300); len(raw) != 2*i {
				t.Errorf("%s: record %d has %d bytes of the custom activity", name, i, len(raw))
			}
			i++
		}
		if want := "csr" + strings.Repeat("s", records-1); got != want {
			t.Errorf("%s: records %s, want %s", name, got, want)
		}
	}
}

func recordSome(t *testing.T, rec *Recorder, records int) {
	t.Helper()
	if err := rec.Comment(hours(0), "dev 8:0=sda"); err != nil {
		t.Fatal(err)
	}
	for i := range records {
		at := hours(0).Add(time.Duration(i) * time.Second)
		if i == 1 {
			if err := rec.Restart(at, 1); err != nil {
				t.Fatal(err)
			}
		}
		err := rec.Record(at, uint64(100*i+1), func(s *sysstat.Sample) {
			s.CPUs = append(s.CPUs[:0], sysstat.CPU{}, sysstat.CPU{})
			s.Disks = append(s.Disks[:0], sysstat.Disk{Major: 8, IOs: uint64(i)})
			s.Custom = [][]byte{make([]byte, 2*i)}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullDisk wants the error of writing, and no hanging.
func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no %s to write to", full)
	}
	for _, name := range []string{"full.sa", "full.sa.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.Symlink(full, path); err != nil {
			t.Fatal(err)
		}
		rec, err := NewRecorder(path, options())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1_000_000 {
			err = rec.Record(hours(0), 1, func(s *sysstat.Sample) {
				s.Disks = append(s.Disks[:0], sysstat.Disk{IOs: uint64(i), ReadSectors: uint64(i * i)})
			})
			if err != nil {
				break
			}
		}
		if err == nil {
			t.Errorf("%s: records went on to a full disk", name)
		}
		if rec.Close() == nil {
			t.Errorf("%s: a file that was not written was closed without error", name)
		}
	}
}
