// Package cephosd is the form of ceph's perf histogram dump, polled, with the time
// and the OSD before each:
//
//	while sleep 15; do date -u +%FT%TZ; for i in $(ceph osd ls); do echo osd.$i; ceph tell osd.$i perf histogram dump; done; done > osds.txt
//
//	2026-11-15T23:12:20Z
//	osd.3
//	{"osd": {"op_r_latency_out_bytes_histogram": {
//	    "axes": [{"name": "Latency (usec)", "ranges": [{"max": -1}, {"min": 0, "max": 99999}, …, {"min": 53687091200}]},
//	             {"name": "Request size (bytes)", "ranges": [ … ]}],
//	    "values": [[0, 0, …], …]}, …}}
//
// Reads are op_r, writes op_w; sizes are added up. An OSD's time has its own queue
// in it. The first bins are 100 ms wide where the OSD was not told otherwise: tails
// below that do not show.
package cephosd

import (
	"encoding/json"
	"iter"
	"math"
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/blklat"
	"github.com/limpet-storage/limpet/histogram"
)

// Form is that of perf histogram dump.
var Form = histogram.Form{
	Name:    "ceph-histograms",
	Title:   "latencies of OSDs, as ceph tell osd.N perf histogram dump prints them",
	Command: "ceph tell osd.N perf histogram dump after date -u +%FT%TZ and echo osd.N",
	Signs:   []string{"latency_out_bytes_histogram"},
	Read:    read,
}

// dump is the JSON of one OSD.
type dump struct {
	OSD map[string]table `json:"osd"`
}

type table struct {
	Axes []struct {
		Name   string  `json:"name"`
		Ranges []limit `json:"ranges"`
	} `json:"axes"`
	Values [][]float64 `json:"values"`
}

type limit struct {
	Min *float64 `json:"min"`
	Max *float64 `json:"max"`
}

var names = []struct {
	of string
	op blklat.Op
}{{"op_r_latency_out_bytes_histogram", blklat.Read}, {"op_w_latency_in_bytes_histogram", blklat.Write}}

var osdLine = regexp.MustCompile(`^\s*(osd\.\d+):?\s*(\{.*)?$`)

// maxObject bounds the JSON of one OSD: it has two tables of 32 times 32 numbers.
const maxObject = 4 << 20

// poll is where in the text the reader is.
type poll struct {
	text   *histogram.Text
	at     int64
	osd    string
	object strings.Builder
	depth  int
}

func read(t *histogram.Text) iter.Seq2[histogram.Sample, error] {
	return func(yield func(histogram.Sample, error) bool) {
		p := poll{text: t, osd: t.Stem()}
		for {
			line, ok, err := t.Next()
			if !ok || err != nil {
				if err != nil {
					yield(histogram.Sample{}, err)
				}
				return
			}
			samples, err := p.take(line)
			for i := range samples {
				if !yield(samples[i], nil) {
					return
				}
			}
			if err != nil {
				yield(histogram.Sample{}, err)
				return
			}
		}
	}
}

// take takes a line: a time, the name of an OSD, or a part of its JSON.
func (p *poll) take(line string) ([]histogram.Sample, error) {
	if p.depth == 0 {
		if at, ok := histogram.Clock(line); ok {
			p.at = at
			return nil, nil
		}
		if m := osdLine.FindStringSubmatch(line); m != nil {
			p.osd, line = m[1], m[2]
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "{") {
			return nil, nil
		}
	}
	p.object.WriteString(line)
	p.object.WriteByte('\n')
	p.depth += strings.Count(line, "{") - strings.Count(line, "}")
	if p.object.Len() > maxObject {
		return nil, p.text.Errorf("JSON of more than %d MB", maxObject>>20)
	}
	if p.depth > 0 {
		return nil, nil
	}
	text := p.object.String()
	p.object.Reset()
	p.depth = 0
	return p.samples(text)
}

func (p *poll) samples(text string) (list []histogram.Sample, err error) {
	var d dump
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return nil, p.text.Errorf("the JSON that ends here: %w", err)
	}
	for _, n := range names {
		t, ok := d.OSD[n.of]
		if !ok {
			continue
		}
		if p.at == 0 {
			return nil, p.text.Errorf("histograms without a time: print it before each poll, with date -u +%%FT%%TZ")
		}
		bins, ok := t.bins()
		if !ok {
			return nil, p.text.Errorf("%s of %s: its first axis is to be a latency in usec, with a row of numbers for each range", n.of, p.osd)
		}
		list = append(list, histogram.Sample{Time: p.at, Component: p.osd, Peers: "osds", Op: n.op, Kind: histogram.Since, Bins: bins})
	}
	return list, nil
}

// bins adds up sizes.
func (t *table) bins() (bins []histogram.Bin, ok bool) {
	const nsInUs = 1e3
	if len(t.Axes) == 0 || !strings.Contains(t.Axes[0].Name, "usec") || len(t.Axes[0].Ranges) != len(t.Values) {
		return nil, false
	}
	for i, r := range t.Axes[0].Ranges {
		b := histogram.Bin{HighNs: math.Inf(1)}
		if r.Min != nil {
			b.LowNs = max(*r.Min, 0) * nsInUs
		}
		if r.Max != nil {
			b.HighNs = max(*r.Max+1, 0) * nsInUs
		}
		for _, n := range t.Values[i] {
			if n < 0 {
				return nil, false
			}
			b.Requests += n
		}
		bins = append(bins, b)
	}
	return bins, true
}
