package activity

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestUpkeep: maintenance of arrays is in the rows of its time, and in no
// others.
func TestUpkeep(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "a.sa"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", midnight
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	at := func(second int) time.Time { return midnight.Add(time.Duration(second) * time.Second) }
	for second := range 300 {
		for d := range 3 {
			known := sysstat.Device{Major: 8, Minor: uint32(16 * d), Name: []string{"sda", "sdb", "sdc"}[d], MD: "md0"}
			switch {
			case second != 0 && second != 61 && second != 181:
				continue
			case second == 61 && d < 2:
				known.Upkeep = "recover"
			case second == 61:
				known.Upkeep = "a word of tomorrow"
			}
			for _, c := range known.Comments() {
				if err := w.WriteComment(at(second), c); err != nil {
					t.Fatal(err)
				}
			}
		}
		var disks []sysstat.Disk
		for d := range 3 {
			disks = append(disks, sysstat.Disk{Major: 8, Minor: uint32(16 * d), IOs: uint64(100 + 11*second)})
		}
		if err := w.WriteStats(at(second), uint64(360000+100*second), &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: disks}); err != nil {
			t.Fatal(err)
		}
	}
	src, err := Open(context.Background(), []string{dir}, Options{Metrics: []string{"await"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	rows := 0
	for ; ; rows++ {
		row, err := src.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		end, want := row.End-midnight.Unix(), table.NoWork
		if end > 60 && end <= 180 {
			want = table.Rebuilding
		}
		for c, work := range row.Upkeep {
			if c == 2 {
				want = table.NoWork
			}
			if work != want {
				t.Errorf("component %d in the step that ends at %d: %v, want %v", c, end, work, want)
			}
		}
	}
	if rows < 18 {
		t.Errorf("%d rows", rows)
	}
}
