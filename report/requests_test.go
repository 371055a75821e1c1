package report

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/report/page/pagetest"
	"github.com/limpet-storage/limpet/topology"
)

const sixDrives = `
name: nas
servers: nas1
drives:
  - servers: nas1
    devices: sd[a-f]
`

// pageOfATail diagnoses two hours of six drives, of which the third delays one
// request in two hundred by 50 ms from the second hour on, where it does.
func pageOfATail(t *testing.T, latencies bool) (string, []incident.Incident) {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", []byte(sixDrives))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(system.Components), Servers: 1, Latencies: latencies}
	o := engine.DefaultOptions()
	o.Metrics = []string{"await"}
	o.FitTo(schema)
	e := NewEvidence(Subject{System: system, Schema: schema, Options: o, Version: "1.2.3"})
	engine, err := engine.New(o, system, schema, nil, e)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	row := table.NewRow(schema)
	for end := start + 15; end <= start+2*3600; end += 15 {
		row.Clear()
		row.End = end
		for c := range system.Components {
			share := 0.0
			if c == 2 && end > start+3600 {
				share = 0.005
			}
			h := drawn(rng, 300, share)
			row.Values[0][c], row.Values[1][c] = 20, h.MeanNs()/1e6
			if latencies {
				r := &row.LatencyOf(c)[blklat.Read]
				r.Bytes, r.Device, r.Queue = 300*4096, h, blklat.Histogram{{Requests: 300}}
			}
		}
		e.Row(row)
		engine.Push(row)
	}
	engine.Finish()
	s := Summary{Summary: engine.Summary(incident.Combined)}
	var out bytes.Buffer
	if err := e.Write(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String(), s.Incidents
}

// drawn are requests of about 2 ms, a share of which is delayed.
func drawn(rng *rand.Rand, n int, share float64) (h blklat.Histogram) {
	for range n {
		ms := 2 * math.Exp(0.4*rng.NormFloat64())
		if rng.Float64() < share {
			ms += 50
		}
		h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(ms * 1e6))), Requests: 1}})
	}
	return h
}

// requestTitles are those of plots of requests.
func requestTitles(text string) (titles []string) {
	for _, m := range figureText.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "request") {
			titles = append(titles, m[1])
		}
	}
	return titles
}

// TestPageOfRequests: a tail is shown by heat maps, the suspect's above its peers',
// and by both distributions; without latencies there is nothing to show.
func TestPageOfRequests(t *testing.T) {
	text, found := pageOfATail(t, true)
	if len(found) != 1 || found[0].Kind != finding.SlowTail {
		t.Fatalf("%d incidents are found, want the tail of one drive", len(found))
	}
	want := []string{
		"How long each request of nas1/sdc took in the device",
		"How long each request of its 5 peers took in the device",
		"Share of requests that took at most the time on the axis, since the start of the problem",
		"Share of requests that took longer than the time on the axis, since the start of the problem",
	}
	if got := requestTitles(text); !slices.Equal(got, want) {
		t.Errorf("plots %q, want %q", got, want)
	}
	if text, _ := pageOfATail(t, false); requestTitles(text) != nil {
		t.Errorf("plots of requests that nobody heard: %q", requestTitles(text))
	}
}

// TestRequestsInABrowser draws them, by day and by night.
func TestRequestsInABrowser(t *testing.T) {
	browser := pagetest.Start(t)
	text, _ := pageOfATail(t, true)
	file := filepath.Join(t.TempDir(), "tail.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, view := range []pagetest.View{{Width: 1100, Height: 900}, {Width: 1100, Height: 900, Dark: true}, {Width: 390, Height: 844}} {
		tab := browser.Open(t, file, view)
		if n := len(tab.Texts("figure .drawing[data-drawn] canvas")); n < 4 {
			t.Errorf("%d plots are drawn", n)
		}
		if c := tab.Complaints(); len(c) > 0 {
			t.Errorf("%q", c)
		}
		name := map[bool]string{true: "requests-dark", false: "requests-light"}[view.Dark]
		if view.Width < 500 {
			name = "requests-phone"
		}
		tab.Shoot(name)
	}
}
