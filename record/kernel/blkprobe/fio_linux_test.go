package blkprobe

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/blklat"
)

var againstFio = flag.Bool("fio", false, "hold counts against fio's")

// TestFio holds counts, sums and percentiles against what fio logs of each of
// its requests, alone and many at a time. fio's clock begins before the request
// is inserted and ends after the completion was reaped, so it may be later, but
// not by much.
func TestFio(t *testing.T) {
	if !*againstFio {
		t.Skip("needs a machine that does nothing else: make tails, or -fio")
	}
	p := opened(t, DefaultOptions())
	fio, err := exec.LookPath("fio")
	if err != nil {
		t.Skip("needs fio (package fio)")
	}
	l := newLoop(t)
	for _, depth := range []int{1, 8, 32} {
		t.Run(fmt.Sprint(depth, " deep"), func(t *testing.T) {
			l.request(t, blklat.Read, 1, 4096)
			start := sampled(t, p, l)
			before := find(t, start, blklat.Read)
			logged := runFio(t, fio, l, depth, 5000)
			l.request(t, blklat.Write, 500, 4096) // what was not heard is noticed when a request is used again
			end := sampled(t, p, l)
			i := find(t, end, blklat.Read)
			if missed := end.Missed - start.Missed; missed > 0 {
				t.Skipf("%d completions were not heard, and said to be: others listen here, who come and go", missed)
			}
			if got := i.Requests - before.Requests; got != uint64(len(logged)) || i.Device.Requests() != got || i.Queue.Requests() != got {
				t.Fatalf("%d requests, fio made %d", got, len(logged))
			}
			if int(i.MostInFlight) > depth || depth > 1 && i.MostInFlight < 2 {
				t.Errorf("%d in flight at most", i.MostInFlight)
			}
			var sum float64
			for _, ns := range logged {
				sum += ns
			}
			ours := float64(i.DeviceNs - before.DeviceNs + i.QueueNs - before.QueueNs)
			t.Logf("mean in device %.1f µs, in queue %.1f µs, together %.1f µs; fio's %.1f µs",
				float64(i.DeviceNs-before.DeviceNs)/1e3/float64(len(logged)), float64(i.QueueNs-before.QueueNs)/1e3/float64(len(logged)),
				ours/1e3/float64(len(logged)), sum/1e3/float64(len(logged)))
			if ours > 1.01*sum {
				t.Errorf("requests took %g s in device and queue, as fio saw them %g s", ours/1e9, sum/1e9)
			}
			slices.Sort(logged)
			if longest := logged[len(logged)-1]; i.Device.QuantileNs(1) > 1.07*longest {
				t.Errorf("the longest took %g ns in the device, as fio saw it %g", i.Device.QuantileNs(1), longest)
			}
			if depth > 1 { // fio reaps late when it has much to do
				return
			}
			for _, q := range []float64{0.5, 0.99} {
				ours, fios := i.Device.QuantileNs(q), logged[int(math.Ceil(q*float64(len(logged))))-1]
				t.Logf("quantile %g: %.1f µs in the device, fio's %.1f µs", q, ours/1e3, fios/1e3)
				if ours > 1.07*fios {
					t.Errorf("quantile %g: %g ns in the device, as fio saw it %g", q, ours, fios)
				}
			}
		})
	}
}

// runFio reads at random and returns the nanoseconds that fio logged.
func runFio(t *testing.T, fio string, l loop, depth, requests int) (ns []float64) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(fio, "--name=reads", "--filename="+l.path, "--direct=1", "--rw=randread", "--bs=4k", "--blockalign=8k", "--ioengine=libaio", // neighbours would be merged
		fmt.Sprintf("--iodepth=%d", depth), fmt.Sprintf("--number_ios=%d", requests), "--size=16m", "--io_size=1g", "--write_lat_log="+filepath.Join(dir, "log"), "--norandommap")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fio: %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "log_clat.1.log"))
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var at, took float64
		if _, err := fmt.Sscanf(strings.ReplaceAll(lines.Text(), ",", ""), "%g %g", &at, &took); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		ns = append(ns, took)
	}
	return ns
}
