package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// The benchmarks read what a file server of Intrepid would record: 72 disks,
// 16 CPUs and 4 interfaces every second, 9,360 bytes a record.
const (
	benchDisks = 72
	benchCPUs  = 16
)

var benchStart = time.Date(2011, 5, 9, 0, 0, 0, 0, time.UTC)

// load makes counters grow as those of busy disks do.
type load struct {
	rng    *rand.Rand
	sample sysstat.Sample
}

func newLoad(seed uint64) *load {
	l := &load{rng: rand.New(rand.NewPCG(seed, 1))}
	l.sample.CPUs = make([]sysstat.CPU, benchCPUs+1)
	l.sample.Interfaces = make([]sysstat.Interface, 4)
	l.sample.InterfaceErrors = make([]sysstat.InterfaceErrors, 4)
	for i := range l.sample.Interfaces {
		l.sample.Interfaces[i].Name = fmt.Sprintf("eth%d", i)
		l.sample.InterfaceErrors[i].Name = l.sample.Interfaces[i].Name
	}
	majors := []uint32{8, 65, 66, 67, 68}
	for i := range benchDisks { // sdb, sdc, …
		at := uint32(i + 1)
		l.sample.Disks = append(l.sample.Disks, sysstat.Disk{Major: majors[at/16], Minor: at % 16 * 16, IOs: 1 << 20})
	}
	return l
}

// second lets a second pass; a third of the disks is idle at a time.
func (l *load) second(t int) {
	for i := range l.sample.Disks {
		if (i/10+t/600)%3 == 0 {
			continue
		}
		d := &l.sample.Disks[i]
		ios := uint64(20 + l.rng.IntN(60))
		ms := uint32(ios) * uint32(4+l.rng.IntN(12))
		d.IOs += ios
		d.ReadSectors += ios / 2 * 512
		d.WriteSectors += ios / 2 * 256
		d.ReadTicks += ms / 2
		d.WriteTicks += ms / 2
		d.QueueTicks += ms
		d.BusyTicks += min(1000, ms/3)
	}
}

func (l *load) write(w io.Writer, host string, seconds int) error {
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.CPUs, o.Created = host, benchCPUs, benchStart
	aw, err := sysstat.NewWriter(w, o)
	if err != nil {
		return err
	}
	for t := range seconds + 1 {
		l.second(t)
		if err := aw.WriteStats(benchStart.Add(time.Duration(t)*time.Second), uint64(t+1)*100, &l.sample); err != nil {
			return err
		}
	}
	return nil
}

// cpuTime is what this process and its children have used.
func cpuTime(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDayToRows turns a day of one server into rows, at the step of 15 s
// that is used and at 1 s, where every record has to be decoded; and holds
// the CPU time against that of sadf -d in the same run.
func BenchmarkDayToRows(b *testing.B) {
	name := filepath.Join(b.TempDir(), "sa09")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(newLoad(1).write(f, "fs1", 86400), f.Close()); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	sadf := sadfTime(b, name)
	for _, step := range []int64{15, 1} {
		b.Run(fmt.Sprintf("step=%ds", step), func(b *testing.B) {
			before := cpuTime(syscall.RUSAGE_SELF)
			for b.Loop() {
				rows, err := countRows(name, step)
				if err != nil || rows != int(86400/step) {
					b.Fatalf("%d rows: %v", rows, err)
				}
			}
			took := (cpuTime(syscall.RUSAGE_SELF) - before) / time.Duration(b.N)
			b.ReportMetric(float64(info.Size())/1e9/took.Seconds(), "GB/cpu-s")
			if sadf > 0 {
				b.ReportMetric(sadf.Seconds()/took.Seconds(), "times-sadf")
			}
		})
	}
}

func countRows(name string, step int64) (int, error) {
	src, err := activity.Open(context.Background(), []string{name}, activity.Options{
		StepSeconds: step, Metrics: []string{"await"}, System: oneServer(),
	})
	if err != nil {
		return 0, err
	}
	defer src.Close()
	for rows := 0; ; rows++ {
		if _, err := src.Next(context.Background()); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return rows, err
		}
	}
}

func oneServer() *topology.System {
	s, _, err := topology.Parse("bench.yaml", []byte("servers: fs1\ndrives:\n  - devices: sd[b-bu]\n    peers: server\n"))
	if err != nil {
		panic(err)
	}
	return s
}

// sadfTime is the CPU time that sadf takes to print the file, 0 where it is
// not installed.
func sadfTime(b *testing.B, name string) time.Duration {
	path, err := exec.LookPath("sadf")
	if err != nil {
		b.Log("sadf (sysstat) is not installed: no comparison")
		return 0
	}
	before := cpuTime(syscall.RUSAGE_CHILDREN)
	cmd := exec.Command(path, "-d", name, "--", "-d")
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	took := cpuTime(syscall.RUSAGE_CHILDREN) - before
	b.Logf("sadf -d takes %.1f s of CPU", took.Seconds())
	return took
}

// BenchmarkIntrepidFiles diagnoses 128 zstd-compressed files of Intrepid's
// servers, from files to lists, and holds that against decompressing them with
// the same library, in CPU time. A few bodies stand for all servers, six hours
// for a day: both sides grow alike.
func BenchmarkIntrepidFiles(b *testing.B) {
	const servers, bodies, seconds = 128, 4, 6 * 3600
	dir := b.TempDir()
	var compressed [bodies][]byte
	for i := range compressed {
		var plain bytes.Buffer
		if err := newLoad(uint64(i)).write(&plain, "fs1", seconds); err != nil {
			b.Fatal(err)
		}
		compressed[i] = squeeze(b, plain.Bytes()[headerLength(b):])
	}
	for i := range servers {
		host := fmt.Sprintf("fs%d", i+1)
		var head bytes.Buffer
		if err := newLoad(0).write(&head, host, 0); err != nil {
			b.Fatal(err)
		}
		file := append(squeeze(b, head.Bytes()[:headerLength(b)]), compressed[i%bodies]...)
		if err := os.WriteFile(filepath.Join(dir, host+".sa.zst"), file, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	clear(compressed[:])
	data, err := os.ReadFile("../../examples/intrepid.yaml")
	if err != nil {
		b.Fatal(err)
	}
	system, _, err := topology.Parse("intrepid.yaml", data)
	if err != nil {
		b.Fatal(err)
	}
	spareMemory()
	var took, unpacking time.Duration
	peak := 0.0
	for b.Loop() {
		start := cpuTime(syscall.RUSAGE_SELF)
		b.SetBytes(decompressAll(b, dir))
		resetPeak()
		half := cpuTime(syscall.RUSAGE_SELF)
		diagnoseFiles(b, dir, system)
		unpacking += half - start
		took += cpuTime(syscall.RUSAGE_SELF) - half
		peak = peakMB()
	}
	b.ReportMetric(took.Seconds()/unpacking.Seconds(), "times-zstd")
	b.ReportMetric(peak, "MB-peak")
}

func headerLength(b *testing.B) int {
	var w bytes.Buffer
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.CPUs, o.Created = "fs1", benchCPUs, benchStart
	if _, err := sysstat.NewWriter(&w, o); err != nil {
		b.Fatal(err)
	}
	return w.Len()
}

func squeeze(b *testing.B, data []byte) []byte {
	var out bytes.Buffer
	// As `zstd -3` does: a window of 2 MB.
	z, err := zstd.NewWriter(&out, zstd.WithWindowSize(2<<20))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// decompressAll decompresses every file, on all cores, and drops the result.
func decompressAll(b *testing.B, dir string) int64 {
	names, err := filepath.Glob(filepath.Join(dir, "*.zst"))
	if err != nil {
		b.Fatal(err)
	}
	next, sum := make(chan string), make(chan int64)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			var n int64
			for name := range next {
				n += decompress(b, name)
			}
			sum <- n
		}()
	}
	for _, name := range names {
		next <- name
	}
	close(next)
	var total int64
	for range runtime.GOMAXPROCS(0) {
		total += <-sum
	}
	return total
}

func decompress(b *testing.B, name string) int64 {
	f, err := os.Open(name)
	if err != nil {
		b.Error(err)
		return 0
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		b.Error(err)
		return 0
	}
	defer z.Close()
	n, err := io.Copy(io.Discard, z)
	if err != nil {
		b.Error(err)
	}
	return n
}

func diagnoseFiles(b *testing.B, dir string, system *topology.System) {
	o := engine.DefaultOptions()
	src, err := activity.Open(b.Context(), []string{dir}, activity.Options{Metrics: o.Metrics, System: system})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	var heard counted
	engine, err := engine.New(o, system, src.Schema(), nil, &heard)
	if err != nil {
		b.Fatal(err)
	}
	if err := engine.Run(ingest.Stream(b.Context(), src)); err != nil {
		b.Fatal(err)
	}
	if heard.windows != 16*47 || heard.lists != 6 {
		b.Fatalf("%d windows, %d lists", heard.windows, heard.lists)
	}
}

// counted counts what it hears.
type counted struct{ windows, lists int }

func (c *counted) Window(*persistence.Window) { c.windows++ }
func (c *counted) List(*engine.List)          { c.lists++ }
func (c *counted) Event(*incident.Event)      {}

// resetPeak makes the kernel forget the largest resident size so far.
func resetPeak() {
	runtime.GC()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peakMB is the largest resident size since, 0 where the kernel does not say.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kb float64
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		return 0
	}
	return kb / 1000
}
