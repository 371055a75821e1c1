package sysstat

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// day writes a day of a storage server at 1 s: 72 disks, 16 CPUs, 4
// interfaces and as much again as sadc -S DISK,SNMP adds, 9.4 kB a record.
// With -short it has an hour.
func day(b *testing.B) (path string, bytes int64) {
	b.Helper()
	seconds := 86400
	if testing.Short() {
		seconds = 3600
	}
	path = filepath.Join(b.TempDir(), "sa14")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	opts := dayOptions()
	w, err := NewWriter(buffered, opts)
	if err != nil {
		b.Fatal(err)
	}
	s, rng := daySample(), rand.New(rand.NewPCG(5, 6))
	for i := range seconds {
		step(s, rng)
		if err := w.WriteStats(opts.Created.Add(time.Duration(i)*time.Second), uint64(100*i+1), s); err != nil {
			b.Fatal(err)
		}
	}
	if err := buffered.Flush(); err != nil {
		b.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

func dayOptions() WriterOptions {
	opts := DefaultWriterOptions()
	opts.Hostname, opts.CPUs = "store-1", 16
	opts.Created = time.Unix(imageTime, 0).UTC()
	opts.Custom = []CustomActivity{{ID: 1000, Size: 100}}
	return opts
}

func daySample() *Sample {
	s := &Sample{CPUs: make([]CPU, 17), Custom: [][]byte{make([]byte, 1500)}}
	for i := range uint32(72) {
		s.Disks = append(s.Disks, Disk{Major: 8, Minor: 16 * i})
	}
	for _, name := range []string{"lo", "eth0", "eth1", "bond0"} {
		s.Interfaces = append(s.Interfaces, Interface{Name: name, SpeedMbit: 25000, Duplex: FullDuplex})
		s.InterfaceErrors = append(s.InterfaceErrors, InterfaceErrors{Name: name})
	}
	return s
}

// step lets a second pass.
func step(s *Sample, rng *rand.Rand) {
	for i := range s.Disks {
		d, n := &s.Disks[i], uint64(rng.IntN(200))
		d.IOs += n
		d.ReadSectors += n * 512
		d.WriteSectors += n * 96
		d.ReadTicks += uint32(n) * 7
		d.WriteTicks += uint32(rng.IntN(900))
		d.BusyTicks += uint32(rng.IntN(1000))
		d.QueueTicks += uint32(n) * 9
	}
	for i := range s.Interfaces {
		s.Interfaces[i].RxBytes += uint64(rng.IntN(1 << 30))
	}
}

func benchmarkDay(b *testing.B, read func(path string) error) {
	path, size := day(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if err := read(path); err != nil && err != io.EOF {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadFile is the plain twin: only the bytes.
func BenchmarkReadFile(b *testing.B) {
	buf := make([]byte, bufferSize)
	benchmarkDay(b, func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		for err == nil {
			_, err = f.Read(buf)
		}
		return err
	})
}

func BenchmarkWalk(b *testing.B) {
	benchmarkDay(b, func(path string) error { return eachRecord(path, func(*Record) {}) })
}

// BenchmarkAppend is what a recorder that starts again in its file takes; its
// twin is BenchmarkReadFile.
func BenchmarkAppend(b *testing.B) {
	benchmarkDay(b, func(path string) error {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, tail, err := Append(f, dayOptions())
		if err == nil && (tail.Records == 0 || tail.Cut > 0) {
			err = fmt.Errorf("found %+v", tail)
		}
		return err
	})
}

func BenchmarkDisks(b *testing.B) {
	var disks []Disk
	benchmarkDay(b, func(path string) error {
		return eachRecord(path, func(rec *Record) { disks = rec.Disks(disks) })
	})
}

func BenchmarkInterfaces(b *testing.B) {
	var interfaces []Interface
	benchmarkDay(b, func(path string) error {
		return eachRecord(path, func(rec *Record) { interfaces = rec.Interfaces(interfaces) })
	})
}

func eachRecord(path string, do func(*Record)) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			return err
		}
		do(rec)
	}
}

// BenchmarkZstd walks a compressed file; bytes are those unpacked.
func BenchmarkZstd(b *testing.B) {
	path, size := day(b)
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(path + ".zst")
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	w, err := zstd.NewWriter(out)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = io.Copy(w, in); err == nil {
		err = w.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		if err := eachRecord(path+".zst", func(*Record) {}); err != io.EOF {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteStats(b *testing.B) {
	opts := DefaultWriterOptions()
	opts.Custom = []CustomActivity{{ID: 1000, Size: 100}}
	w, err := NewWriter(io.Discard, opts)
	if err != nil {
		b.Fatal(err)
	}
	s, at := daySample(), time.Unix(imageTime, 0).UTC()
	b.ReportAllocs()
	for b.Loop() {
		if err := w.WriteStats(at, 1, s); err != nil {
			b.Fatal(err)
		}
	}
}
