package blkprobe

import (
	"os/exec"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
)

// TestOthersComeAndGo: whatever else listens to block requests may come and go. The
// kernel then calls nobody for some completions, mostly all that are in flight; they
// are missed, and said to be, each once.
func TestOthersComeAndGo(t *testing.T) {
	p := opened(t, DefaultOptions())
	fio, err := exec.LookPath("fio")
	if err != nil {
		t.Skip("needs fio (package fio)")
	}
	l := newLoop(t)
	l.request(t, blklat.Read, 1, 4096)
	start := sampled(t, p, l)
	stop, others := make(chan bool), make(chan int)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				others <- n
				return
			case <-time.After(10 * time.Millisecond):
				opened(t, DefaultOptions()).Close()
			}
		}
	}()
	made := uint64(len(runFio(t, fio, l, 32, 20_000)))
	close(stop)
	came := <-others
	l.request(t, blklat.Write, 500, 4096) // what was not heard is noticed when a request is used again
	end := sampled(t, p, l)
	heard, missed := reads(end)-reads(start), end.Missed-start.Missed
	t.Logf("%d others came and went: fio made %d requests, %d were heard, %d missed", came, made, heard, missed)
	if heard > made || heard+missed < made {
		t.Errorf("%d requests were heard and %d missed on all devices, fio made %d", heard, missed, made)
	}
}

func reads(s blklat.Sample) uint64 {
	for _, i := range s.Items {
		if i.Op == blklat.Read {
			return i.Requests
		}
	}
	return 0
}
