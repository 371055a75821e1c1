package report

import (
	"html"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/topology"
)

// served is what a drive does in a step that serves requests in the order in which they
// come, at random times, and works for about 2.5 ms on each, times so long.
func served(rng *rand.Rand, perSecond, times float64) (device blklat.Histogram, util float64) {
	const stepMs = 15e3
	busy, free := 0.0, 0.0
	for at := 0.0; at < stepMs; at += rng.ExpFloat64() * 1e3 / perSecond {
		works := times * 2.4 * math.Exp(0.3*rng.NormFloat64())
		free = max(at, free) + works
		busy += works
		device.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64((free - at) * 1e6))), Requests: 1}})
	}
	return device, 100 * min(busy/stepMs, 1)
}

// diagnosed are some seconds of six drives, of which the last has more to do than the others, and
// works times as long on each request, told in every format.
func diagnosed(t *testing.T, seconds int64, perSecond, times float64) (*engine.Summary, map[string]string) {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", []byte(sixDrives))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.Util}, Components: len(system.Components), Servers: 1, Latencies: true}
	o := engine.DefaultOptions()
	o.FitTo(schema)
	w := &world{t: t, s: Subject{System: system, Schema: schema, Options: o}}
	f := w.family()
	listeners := several{f.evidence}
	for _, writer := range f.writers {
		listeners = append(listeners, writer)
	}
	engine, err := engine.New(o, system, schema, nil, listeners)
	if err != nil {
		t.Fatal(err)
	}
	rng, row := rand.New(rand.NewPCG(1, 2)), table.NewRow(schema)
	type step struct {
		device blklat.Histogram
		util   float64
	}
	const kinds = 12 // steps that differ
	var usual, more [kinds]step
	for i := range kinds {
		usual[i].device, usual[i].util = served(rng, 70, 1)
		more[i].device, more[i].util = served(rng, perSecond, times)
	}
	for end := start + 15; end <= start+seconds; end += 15 {
		row.Clear()
		row.End = end
		for c := range system.Components {
			s := &usual[rng.IntN(kinds)]
			if c == len(system.Components)-1 {
				s = &more[rng.IntN(kinds)]
			}
			n := s.device.Requests()
			row.Values[0][c], row.Values[1][c], row.Values[2][c] = float64(n)/15, s.device.MeanNs()/1e6, s.util
			r := &row.LatencyOf(c)[blklat.Read]
			r.Bytes, r.Device, r.Queue = 4096*n, s.device, blklat.Histogram{{Requests: uint32(n)}}
		}
		f.evidence.Row(row)
		engine.Push(row)
	}
	engine.Finish()
	s := Summary{Summary: engine.Summary(incident.Combined)}
	return &s.Summary, f.finish(s)
}

// TestAskedForMore: a drive that is asked for four times as much as its peers is told as
// healthy, and nothing else is, in the same words wherever they are read. It is not
// blamed as slow for its load.
func TestAskedForMore(t *testing.T) {
	s, all := diagnosed(t, 3*3600, 300, 1)
	if len(s.Incidents) != 1 || len(s.Suspects) > 0 {
		t.Fatalf("%d incidents, %d suspects, want 1 and none\n%s", len(s.Incidents), len(s.Suspects), all["text"])
	}
	if in := &s.Incidents[0]; in.Class != finding.Load || in.Kind != finding.WorkloadImbalance || !in.Harmless() || in.Place.Name != "nas1/sdf" {
		t.Errorf("%s", all["text"])
	}
	t.Log(all["text"])
	for format, text := range all {
		text = html.UnescapeString(text)
		for _, want := range []string{"nas1/sdf is healthy but gets 4.", " of waiting; the device is busy with the request for 2.5", "requests wait for each other in the device"} {
			if !strings.Contains(text, want) && (format != "csv" || strings.HasPrefix(want, "nas1")) {
				t.Errorf("%s does not say %q", format, want)
			}
		}
	}
}

// TestAskedForMoreOfLate: it is told as soon as it has lasted, and does not say that
// nothing limps where the data are too short to judge that.
func TestAskedForMoreOfLate(t *testing.T) {
	_, all := diagnosed(t, 720, 300, 1)
	if text := all["text"]; !strings.HasPrefix(text, "The data are too short for a verdict: ") || !strings.Contains(text, "nas1/sdf is healthy but gets 4.") {
		t.Error(text)
	}
	if _, all := diagnosed(t, 450, 300, 1); strings.Contains(all["text"], "healthy") {
		t.Error(all["text"])
	}
}

// TestAskedForMoreAndSlow: one that works half as long again on a request is not called
// healthy, how long the device is busy with one is said, and its load does not rule that out.
func TestAskedForMoreAndSlow(t *testing.T) {
	s, all := diagnosed(t, 3*3600, 200, 1.5)
	for i := range s.Incidents {
		if s.Incidents[i].Class == finding.Load || s.Incidents[i].Harmless() {
			t.Error(all["text"])
		}
	}
	if strings.Contains(all["text"], "is healthy") || !strings.Contains(all["text"], "- busy time per request of nas1/sdf, mean of about the last 5 min: 3.") || strings.Contains(all["text"], "Ruled out: a slow drive") {
		t.Error(all["text"])
	}
}
