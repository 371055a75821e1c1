package ingest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/ingest/tool"
)

// polls are those of drives of a server, every 15 s: each has 30 requests of 1 to 2
// ms more, the third one of 32 to 64 ms too.
func polls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, 1794784500+15*i)
		for d := range 3 {
			for _, le := range []string{"0.001", "0.002", "0.032", "0.064", "+Inf"} {
				count := 30 * i
				if le == "0.001" {
					count = 0
				}
				if d == 2 && (le == "0.064" || le == "+Inf") {
					count += i
				}
				fmt.Fprintf(&b, "x_latency_seconds_bucket{device=%q,operation=\"read\",le=%q} %d\n", "sd"+string(rune('a'+d)), le, count)
			}
		}
	}
	return b.String()
}

func opened(t *testing.T, files map[string]string) (*HistogramSource, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return OpenHistograms(t.Context(), tool.LookupHistogram("prometheus-histograms"), []string{dir}, HistogramOptions{})
}

// TestRows: files of several servers give rows in time order, with all requests
// and the two numbers that are made of them.
func TestRows(t *testing.T) {
	s, err := opened(t, map[string]string{"fs1.prom": polls(5), "fs2.prom": polls(3), ".hidden": "x"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := len(s.System().Components); got != 6 || len(s.System().Groups) != 2 || s.Schema().StepSeconds != 15 {
		t.Fatalf("%d components in %d groups, steps of %d s", got, len(s.System().Groups), s.Schema().StepSeconds)
	}
	third, _ := s.System().Lookup("fs1/sdc")
	rows, last := 0, int64(0)
	for {
		row, err := s.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if row.End <= last {
			t.Errorf("a row of %d follows one of %d", row.End, last)
		}
		last = row.End
		rows++
		l := row.Latency[third]
		if n := l[0].Device.Requests(); n != 31 || row.Values[tps][third] != 31.0/15 {
			t.Errorf("row %d: %d requests, %g a second", rows, n, row.Values[tps][third])
		}
		if ms := row.Values[await][third]; ms < 2 || ms > 4 { // (30 × 1.4 + 45)/31
			t.Errorf("row %d: %g ms", rows, ms)
		}
	}
	if rows != 4 {
		t.Errorf("%d rows, want 4: the first poll has nothing before it", rows)
	}
	if len(s.Warnings()) > 0 {
		t.Errorf("warnings: %v", s.Warnings())
	}
}

// TestBackInTime: what was recorded earlier is left out, and said.
func TestBackInTime(t *testing.T) {
	s, err := opened(t, map[string]string{"fs1.prom": polls(4) + polls(2)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for err == nil {
		_, err = s.Next(t.Context())
	}
	if err != io.EOF || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0].Text, "6 samples are left out, because their times are earlier than") {
		t.Errorf("%v, warnings %v", err, s.Warnings())
	}
}

// TestNothing: a file of something else is refused, with what it ought to be.
func TestNothing(t *testing.T) {
	_, err := opened(t, map[string]string{"fs1.prom": "Linux 6.1\n"})
	if err == nil || !strings.Contains(err.Error(), "give the output of date -u +%FT%TZ; curl localhost:9435/metrics") {
		t.Error(err)
	}
}

// TestCancelled: a source stops with its context.
func TestCancelled(t *testing.T) {
	s, err := opened(t, map[string]string{"fs1.prom": polls(9)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := s.Next(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := s.Next(ctx); err != context.Canceled {
		t.Error(err)
	}
}
