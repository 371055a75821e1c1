package blkprobe

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// BenchmarkOverhead measures what a request costs, as fast as they come and at
// 20,000 a second. Requests of 4 KiB to a loop device over memory are about as
// quick as there are. With and without take turns, and medians are told:
//
//	ns-in-programs/request    by the kernel's clock around each run
//	ns-of-that-clock/request  what that clock says of programs that do nothing
//	ns-by-own-clock/request   as the recorder tells of itself, without that clock
//	ns-of-processors/request  of fio and the kernel's workers, with less without,
//	                          and the least and the most of six rounds
func BenchmarkOverhead(b *testing.B) {
	fio, err := exec.LookPath("fio")
	if err != nil {
		b.Skip("needs fio (package fio)")
	}
	l := newLoop(b)
	for _, way := range hookKinds {
		name := strings.ReplaceAll(way, " ", "-")
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				work := workload{fio, l, []string{fmt.Sprintf("--number_ios=%d", fullRequests)}}
				overhead(b, way, work, fullRequests).report(b)
			}
		})
		b.Run(name+"-at-20000-a-second", func(b *testing.B) {
			for b.Loop() {
				work := workload{fio, l, []string{"--rate_iops=20000", fmt.Sprintf("--number_ios=%d", rateRequests)}}
				o := overhead(b, way, work, rateRequests)
				o.report(b)
				const nsOfPercent = 1e9 / 100 / 20000 // of a core, for each request
				b.ReportMetric(median(o.inPrograms)/nsOfPercent, "%core-in-programs")
				b.ReportMetric(median(o.more())/nsOfPercent, "%core")
			}
		})
	}
}

const (
	overheadRounds = 6
	fullRequests   = 50000
	rateRequests   = 20000
)

// costs are of a request, in ns, a number for each round.
type costs struct {
	with, without, inPrograms, inClock, byOwnClock []float64
	perSecond                                      []float64
}

// more is what with costs more than without.
func (c costs) more() (ns []float64) {
	for i := range c.with {
		ns = append(ns, c.with[i]-c.without[i])
	}
	return ns
}

func (c costs) report(b *testing.B) {
	b.ReportMetric(0, "ns/op") // is what was waited
	b.ReportMetric(median(c.inPrograms), "ns-in-programs/request")
	b.ReportMetric(median(c.inClock), "ns-of-that-clock/request")
	b.ReportMetric(median(c.byOwnClock), "ns-by-own-clock/request")
	b.ReportMetric(median(c.more()), "ns-of-processors/request")
	b.ReportMetric(slices.Min(c.more()), "ns-least")
	b.ReportMetric(slices.Max(c.more()), "ns-most")
	b.ReportMetric(median(c.without), "ns-without/request")
	b.ReportMetric(median(c.perSecond), "requests/s")
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// overhead measures in rounds: without, with, and with the kernel's clock around
// each run of a program.
func overhead(b *testing.B, way string, work workload, requests int) (c costs) {
	b.Helper()
	work.busy(b) // until the page cache has it
	without := func(b *testing.B, _ string, work workload, requests float64) {
		c.without = append(c.without, work.busy(b).Seconds()*1e9/requests)
	}
	for range overheadRounds / 2 { // either is first in turn
		for _, turn := range []func(*testing.B, string, workload, float64){without, c.heard, c.heard, without} {
			turn(b, way, work, float64(requests))
		}
	}
	return c
}

// heard is a run of the workload with programs, and another that is timed.
func (c *costs) heard(b *testing.B, way string, work workload, requests float64) {
	b.Helper()
	others := programs(b)
	o := DefaultOptions()
	o.hookKind = way
	p := opened(b, o)
	defer p.Close()
	begun := time.Now()
	c.with = append(c.with, work.busy(b).Seconds()*1e9/requests)
	c.perSecond = append(c.perSecond, requests/time.Since(begun).Seconds())
	sampled(b, p, work.on)
	c.byOwnClock = append(c.byOwnClock, p.Spent().Seconds()*1e9/requests)
	defer idle(b).Close()
	stats, err := ebpf.EnableStats(uint32(unix.BPF_STATS_RUN_TIME))
	if err != nil {
		b.Skip("needs a kernel that times BPF programs: ", err)
	}
	defer stats.Close()
	work.busy(b)
	var ours, clock float64
	var idleRuns, runs uint64
	for id, s := range programs(b) {
		if _, other := others[id]; other {
			continue
		}
		if s.name == idleName {
			clock, idleRuns = clock+float64(s.Runtime), idleRuns+s.RunCount
		} else if strings.HasPrefix(s.name, "limpet_") {
			ours, runs = ours+float64(s.Runtime), runs+s.RunCount
		}
	}
	c.inPrograms = append(c.inPrograms, ours/requests)
	c.inClock = append(c.inClock, clock/float64(max(idleRuns, 1))*float64(runs)/requests)
}

// A workload is how fio reads from a device.
type workload struct {
	fio  string
	on   loop
	more []string
}

// busy is the processor time of fio and of the kernel's workers while it reads.
func (w workload) busy(b *testing.B) time.Duration {
	b.Helper()
	args := append([]string{
		"--name=reads", "--filename=" + w.on.path, "--direct=1", "--rw=randread", "--bs=4k", "--ioengine=io_uring",
		"--iodepth=32", "--size=16m", "--io_size=10g", "--norandommap", "--gtod_reduce=1", "--thread",
	}, w.more...)
	cmd := exec.Command(w.fio, args...)
	before := workersTime()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("fio: %v\n%s", err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() + workersTime().since(before)
}

const idleName = "does_nothing"

// idle is a program that does nothing, called for each request that is done.
func idle(b *testing.B) link.Link {
	b.Helper()
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: idleName, Type: ebpf.RawTracepoint, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	l, err := link.AttachRawTracepoint(link.RawTracepointOptions{Name: "block_rq_complete", Program: p})
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// ran is what the kernel knows of a program.
type ran struct {
	name string
	ebpf.ProgramStats
}

// programs are all that are loaded.
func programs(b *testing.B) map[ebpf.ProgramID]ran {
	b.Helper()
	list := map[ebpf.ProgramID]ran{}
	for id := ebpf.ProgramID(0); ; {
		next, err := ebpf.ProgramGetNextID(id)
		if err != nil {
			return list
		}
		id = next
		p, err := ebpf.NewProgramFromID(id)
		if err != nil {
			continue // it has gone
		}
		info, err := p.Info()
		if stats, statsErr := p.Stats(); err == nil && statsErr == nil {
			list[id] = ran{info.Name, *stats}
		}
		p.Close()
	}
}
