package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// polledDrives are six drives of a server as ebpf_exporter tells of them, every 15 s
// for two hours at a hundred requests a second each. From the second half on the
// third delays one in two hundred by 50 ms.
func polledDrives() string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	var counts [6][27]int // by power of two of µs
	const polls = 480
	for i := range polls {
		fmt.Fprintln(&b, 1794784500+15*i)
		for d := range counts {
			for range 1500 {
				us := 2000 * math.Exp(0.4*rng.NormFloat64())
				if d == 2 && i > polls/2 && rng.Float64() < 0.005 {
					us += 50_000
				}
				counts[d][min(int(math.Log2(us))+1, 26)]++
			}
			below := 0
			for power, n := range counts[d] {
				below += n
				fmt.Fprintf(&b, "ebpf_exporter_bio_latency_seconds_bucket{device=\"sd%c\",operation=\"read\",le=\"%g\"} %d\n", 'a'+d, math.Exp2(float64(power))/1e6, below)
			}
		}
	}
	return b.String()
}

// TestHistogramsOfOthers: a tail is named by what ebpf_exporter tells, and by nothing
// else; without --tables the file is recognised.
func TestHistogramsOfOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fs1.prom")
	if err := os.WriteFile(file, []byte(polledDrives()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	run(t.Context(), []string{"diagnose", "--tables", "prometheus-histograms", file}, strings.NewReader(""), &out, &out)
	if strings.Count(out.String(), "slow tail") != 1 || !strings.Contains(out.String(), "fs1/sdc: slow tail") {
		t.Errorf("the tail of fs1/sdc, and nothing else, ought to be named:\n%s", out.String())
	}
	out.Reset()
	run(t.Context(), []string{"study", "--tables", "prometheus-histograms", file}, strings.NewReader(""), &out, &out)
	if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), "100 % of all slow hours of drives (2× or more, by the mean or in the slowest requests) are not slow by the mean") {
		t.Errorf("the study does not tell the tail that means hide:\n%s", out.String())
	}
	out.Reset()
	run(t.Context(), []string{"diagnose", file}, strings.NewReader(""), &out, &out)
	if !strings.Contains(out.String(), "add --tables prometheus-histograms") {
		t.Errorf("the file is not recognised:\n%s", out.String())
	}
}
