package blkprobe

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/kernel/blkprobe/internal/program"
)

// BenchmarkOverhead measures what a request costs: by the kernel's own clock
// around each program, which includes reading it, and as the processor time of
// fio and the kernel's workers with and without, in turn. Requests of 4 KiB to a
// loop device over memory are about as quick as there are.
func BenchmarkOverhead(b *testing.B) {
	fio, err := exec.LookPath("fio")
	if err != nil {
		b.Skip("needs fio (package fio)")
	}
	l := newLoop(b)
	for _, way := range program.Ways {
		b.Run(strings.ReplaceAll(way, " ", "-"), func(b *testing.B) {
			o := DefaultOptions()
			o.way = way
			var with, without, inPrograms, perSecond float64
			for b.Loop() {
				without += busyNs(b, fio, l)
				p := opened(b, o)
				stats, err := ebpf.EnableStats(uint32(unix.BPF_STATS_RUN_TIME))
				if err != nil {
					b.Skip("needs a kernel that times BPF programs: ", err)
				}
				busyNs(b, fio, l)
				inPrograms += programNs(b) / overheadRequests
				stats.Close()
				begun := time.Now()
				with += busyNs(b, fio, l)
				perSecond += overheadRequests / time.Since(begun).Seconds()
				p.Close()
			}
			n := float64(b.N)
			b.ReportMetric(inPrograms/n, "ns-in-programs/request")
			b.ReportMetric((with-without)/n, "ns-of-processors/request")
			b.ReportMetric(without/n, "ns-without/request")
			b.ReportMetric(perSecond/n, "requests/s")
		})
	}
}

const overheadRequests = 200000

// busyNs is the time that all processors were busy for each of many requests.
func busyNs(b *testing.B, fio string, l loop) float64 {
	b.Helper()
	before := busy(b)
	out, err := exec.Command(fio, "--name=reads", "--filename="+l.path, "--direct=1", "--rw=randread", "--bs=4k", "--ioengine=io_uring",
		"--iodepth=32", fmt.Sprintf("--number_ios=%d", overheadRequests), "--size=16m", "--io_size=10g", "--norandommap", "--gtod_reduce=1").CombinedOutput()
	if err != nil {
		b.Fatalf("fio: %v\n%s", err, out)
	}
	return float64(busy(b)-before) / overheadRequests
}

// busy is the time that all processors were busy.
func busy(b *testing.B) time.Duration {
	b.Helper()
	var idle, total uint64
	idle, total = processorTicks(b)
	return time.Duration(total-idle) * 10 * time.Millisecond
}

// programNs is the time that our programs ran.
func programNs(b *testing.B) (ns float64) {
	b.Helper()
	for id := ebpf.ProgramID(0); ; {
		next, err := ebpf.ProgramGetNextID(id)
		if err != nil {
			return ns
		}
		id = next
		p, err := ebpf.NewProgramFromID(id)
		if err != nil {
			continue
		}
		info, err := p.Info()
		if stats, statsErr := p.Stats(); err == nil && statsErr == nil && strings.HasPrefix(info.Name, "limpet_") {
			ns += float64(stats.Runtime)
		}
		p.Close()
	}
}

// processorTicks reads the first line of /proc/stat.
func processorTicks(b *testing.B) (idle, total uint64) {
	b.Helper()
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		b.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line)[1:9] { // steal is the last of them
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		total += n
		if i == 3 || i == 4 || i == 7 { // idle, waiting for I/O, stolen
			idle += n
		}
	}
	return idle, total
}
