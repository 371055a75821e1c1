package agent

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// many is a sample of 72 disks that all have done n I/Os.
func many(s *sysstat.Sample, n uint64) {
	s.Disks = s.Disks[:0]
	for i := range uint32(72) {
		s.Disks = append(s.Disks, sysstat.Disk{Major: 8, Minor: 16 * i, IOs: n})
	}
}

// TestConcurrent: whoever asks while samples come sees one of them, whole.
func TestConcurrent(t *testing.T) {
	e := NewExporter("fs1")
	var s sysstat.Sample
	many(&s, 0)
	e.Hear(noon, 0, &s)
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for range 50 {
				checkWhole(t, get(e, "/metrics").Body.String())
			}
		})
	}
	done := make(chan struct{})
	go func() { askers.Wait(); close(done) }()
	for n := uint64(1); ; n++ {
		select {
		case <-done:
			if n < 50 {
				t.Errorf("only %d samples came meanwhile", n)
			}
			return
		default:
			many(&s, n)
			e.Hear(noon.Add(time.Duration(n)*time.Second), n*100, &s)
		}
	}
}

// checkWhole holds all disks against the uptime, which is the same number.
func checkWhole(t *testing.T, text string) {
	t.Helper()
	_, uptime, _ := strings.Cut(text, "\nlimpet_uptime_seconds ")
	uptime, _, _ = strings.Cut(uptime, "\n")
	disks := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "limpet_disk_ios_total{") && strings.HasSuffix(line, fmt.Sprintf("} %s\n", uptime)) {
			disks++
		}
	}
	if disks != 72 {
		t.Errorf("%d of 72 disks are of the sample at %q", disks, uptime)
	}
}

// TestHearAllocs: a sample like the one before costs no memory.
func TestHearAllocs(t *testing.T) {
	e, s := NewExporter("fs1"), fullSample()
	e.Hear(noon, 0, s)
	if n := testing.AllocsPerRun(100, func() { e.Hear(noon, 1, s) }); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
	s.Disks[0].IOs, s.Custom[0][4], s.Interfaces[1].Name = 0, 99, "gone"
	if got := get(e, "/metrics").Body.String(); strings.Contains(got, "gone") || strings.Contains(got, " 99\n") ||
		!strings.Contains(got, " 112133\n") {
		t.Errorf("what was heard changed with the sample it came from:\n%s", got)
	}
}

func BenchmarkHear(b *testing.B) {
	e, s := NewExporter("fs1"), fullSample()
	many(s, 1)
	b.ReportAllocs()
	for b.Loop() {
		e.Hear(noon, 1, s)
	}
}

func BenchmarkScrape(b *testing.B) {
	e, s := NewExporter("fs1"), fullSample()
	many(s, 1)
	e.Hear(noon, 1, s)
	b.ReportAllocs()
	for b.Loop() {
		get(e, "/metrics")
	}
}
