package watch

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/topology"
)

var begin = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// recordedTails writes the records of a server with six drives for an hour. One drive delays one request in a
// hundred after twenty minutes.
func recordedTails(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	for file := range 2 { // the second begins with the last record of the first
		writeTails(tb, filepath.Join(dir, fmt.Sprintf("fs1-%d.sa", file)), rng, 120*file, 120*(file+1))
	}
	return dir
}

func writeTails(tb testing.TB, path string, rng *rand.Rand, from, to int) {
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	const step = 15 * time.Second
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", begin.Add(time.Duration(from)*step)
	o.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		tb.Fatal(err)
	}
	for at := from; at <= to; at++ {
		s := &sysstat.Sample{CPUs: make([]sysstat.CPU, 2)}
		raw := blklat.AppendHead(nil, 7, uint64(at+1), 0)
		for d := range uint32(6) {
			const requests = 1500
			s.Disks = append(s.Disks, sysstat.Disk{Major: 8, Minor: 16 * d, IOs: uint64(requests * at), ReadTicks: uint32(2 * requests * at)})
			item := blklat.Item{Major: 8, Minor: 16 * d, Bytes: requests * 4096, Queue: blklat.Histogram{{Requests: requests}}}
			for range requests {
				ns := 2e6 * math.Exp(0.4*rng.NormFloat64())
				if d == 2 && at > 80 && rng.IntN(100) == 0 {
					ns += 50e6
				}
				item.Device.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(ns))), Requests: 1}})
			}
			raw = blklat.AppendItem(raw, &item)
		}
		s.Custom = [][]byte{raw}
		if err := w.WriteStats(begin.Add(time.Duration(at)*step), uint64(360000+1500*at), s); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestTails: with latencies too, a watch gives the same report as a diagnosis of the same files, byte for byte,
// however often it was stopped.
func TestTails(t *testing.T) {
	dir := recordedTails(t)
	text := "servers: fs1\ndrives:\n  - servers: fs1\n    devices: sda, sdb, sdc, sdd, sde, sdf\n"
	system, _, err := topology.Parse("drives.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.Paths, o.System, o.StateDir = []string{dir}, system, t.TempDir()
	o.Version, o.Now, o.Once = "1.2.3", time.Now, true
	want := diagnosedText(t, &o)
	if !strings.Contains(want, "slow tail") {
		t.Fatalf("no tail was found: %s", want)
	}
	for at := range 3 {
		stopAfter(t, o, int64(40+30*at))
	}
	w := run(t.Context(), t, o)
	same(t, "how things stand", withoutWarnings(standingText(t, w)), withoutWarnings(want))
}

// diagnosedText returns the report of a diagnosis of the files at their end.
func diagnosedText(tb testing.TB, o *Options) string {
	tb.Helper()
	from := activity.ForDiagnosis(&o.Diagnose)
	from.System = o.System
	src, err := activity.Open(tb.Context(), o.Paths, from)
	if err != nil {
		tb.Fatal(err)
	}
	defer src.Close()
	ask := o.Diagnose
	ask.FitTo(src.Schema())
	var b textBuilder
	out, err := report.New("json", &b, report.Subject{System: o.System, Schema: src.Schema(), Options: ask, Version: o.Version})
	if err != nil {
		tb.Fatal(err)
	}
	engine, err := engine.New(ask, o.System, src.Schema(), nil, out)
	if err != nil {
		tb.Fatal(err)
	}
	for {
		row, err := src.Next(tb.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		engine.Push(row)
	}
	if err := out.Finish(report.Summary{Summary: engine.Summary(incident.Combined)}); err != nil {
		tb.Fatal(err)
	}
	return string(b)
}
