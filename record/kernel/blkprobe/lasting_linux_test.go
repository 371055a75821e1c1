package blkprobe

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
)

var lasting = flag.Duration("lasting", 2*time.Second, "write for so long while samples are taken, about 3600 of them")

// TestNothingLost takes an hour's worth of samples while fio writes as fast as it
// can. Their histograms add up to fio's requests, though the device goes and
// returns half-way. What the kernel did not let us hear is missed when its request
// is used again, and in flight until then.
func TestNothingLost(t *testing.T) {
	p := opened(t, DefaultOptions())
	fio, err := exec.LookPath("fio")
	if err != nil {
		t.Skip("needs fio (package fio)")
	}
	l := newLoop(t)
	start := sampled(t, p, l)
	total := tallied{sequence: start.Sequence}
	written := total.write(t, p, l, fio)
	l.goAndReturn(t)
	written += total.write(t, p, l, fio)
	total.add(t, sampled(t, p, l)) // the most in flight begins anew
	var end blklat.Sample
	for total.most = 0; total.most == 0; written++ { // until one is heard
		l.request(t, blklat.Write, 1, 4096)
		end = sampled(t, p, l)
		total.add(t, end)
	}
	unheard := end.Missed - start.Missed + uint64(total.most) - 1
	t.Logf("%d samples, %d writes by fio, %d by samples, %d not heard", end.Sequence, written, total.requests, unheard)
	if total.requests > written || total.requests+unheard < written {
		t.Errorf("%d writes in samples and %d not heard on all devices, fio made %d", total.requests, unheard, written)
	}
	if total.sum != total.requests {
		t.Errorf("%d writes in samples, their sum is %d", total.requests, total.sum)
	}
}

// tallied is the writes of samples.
type tallied struct {
	sequence      uint64
	requests, sum uint64
	most          uint32 // in flight, of the latest sample that has any
}

func (a *tallied) add(t *testing.T, s blklat.Sample) {
	t.Helper()
	if a.sequence++; s.Sequence != a.sequence {
		t.Fatalf("sample %d, want %d", s.Sequence, a.sequence)
	}
	for _, i := range s.Items {
		if i.Op == blklat.Write {
			a.requests, a.sum, a.most = a.requests+i.Device.Requests(), i.Requests, i.MostInFlight
		}
	}
}

// write has fio write for half of the time, takes samples meanwhile, and returns
// how many requests fio made.
func (a *tallied) write(t *testing.T, p *Probe, l loop, fio string) uint64 {
	t.Helper()
	half := *lasting / 2
	report := filepath.Join(t.TempDir(), "report")
	args := []string{
		"--name=writes", "--filename=" + l.path, "--direct=1", "--rw=randwrite", "--bs=4k", "--blockalign=8k", "--ioengine=libaio",
		"--iodepth=16", "--size=16m", "--norandommap", "--time_based", fmt.Sprintf("--runtime=%dms", half.Milliseconds()), "--output-format=json", "--output=" + report,
	}
	if half > time.Minute { // others want the machine, too
		args = append(args, "--rate_iops=1000")
	}
	cmd := exec.Command(fio, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for tick := time.NewTicker(half / 1800); ; <-tick.C {
		a.add(t, sampled(t, p, l))
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			return fioWrites(t, report)
		default:
		}
	}
}

// fioWrites is how many requests fio reports.
func fioWrites(t *testing.T, report string) uint64 {
	t.Helper()
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Jobs []struct {
			Write struct {
				Total uint64 `json:"total_ios"`
			} `json:"write"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(text, &told); err != nil || len(told.Jobs) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	return told.Jobs[0].Write.Total
}

// goAndReturn takes the file from the device and gives it back.
func (l loop) goAndReturn(t *testing.T) {
	t.Helper()
	file, err := os.ReadFile(fmt.Sprintf("/sys/block/%s/loop/backing_file", filepath.Base(l.path)))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--detach", l.path}, {l.path, strings.TrimSpace(string(file))}} {
		if out, err := exec.Command("losetup", args...).CombinedOutput(); err != nil {
			t.Fatalf("losetup %v: %v: %s", args, err, out)
		}
	}
}
