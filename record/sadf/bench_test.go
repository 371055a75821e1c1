package sadf

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// hour writes an hour of 72 disks at 1 s; with -short five minutes.
func hour(b *testing.B) (path string, size int64) {
	b.Helper()
	seconds := 3600
	if testing.Short() {
		seconds = 300
	}
	path = filepath.Join(b.TempDir(), "sa14")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	opts := sysstat.DefaultWriterOptions()
	opts.Created = time.Unix(1_700_000_000, 0).UTC()
	w, err := sysstat.NewWriter(f, opts)
	if err != nil {
		b.Fatal(err)
	}
	s := &sysstat.Sample{Disks: make([]sysstat.Disk, 72)}
	for i := range seconds {
		for k := range s.Disks {
			d, n := &s.Disks[k], uint64((i*31+k*17)%97)
			d.Major, d.Minor = 8, uint32(k)
			d.IOs += n
			d.ReadSectors += 13 * n
			d.WriteSectors += n * n
			d.ReadTicks += uint32(3 * n)
			d.BusyTicks += uint32(7 * n)
			d.QueueTicks += uint32(11 * n)
		}
		if err := w.WriteStats(opts.Created.Add(time.Duration(i)*time.Second), uint64(101*i+1), s); err != nil {
			b.Fatal(err)
		}
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

func BenchmarkDump(b *testing.B) {
	path, size := hour(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		r, err := sysstat.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := Dump(io.Discard, r, DefaultOptions()); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

// BenchmarkSadf is the twin.
func BenchmarkSadf(b *testing.B) {
	installed(b)
	path, size := hour(b)
	b.SetBytes(size)
	for b.Loop() {
		cmd := exec.Command("sadf", "-d", path, "--", "-d")
		cmd.Stdout, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
