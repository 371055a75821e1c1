// This file is the form of ceph's perf histogram dump, polled, with the time
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
// in it. The axis says usec, and the numbers are nanoseconds: rados bench saw 2.2 ms
// where they are 2.2 million. The first bin is 100 µs wide.

package tool

import (
	"encoding/json"
	"iter"
	"math"
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// cephHistogramForm is that of perf histogram dump.
var cephHistogramForm = HistogramForm{
	Name:    "ceph-histograms",
	Title:   "latencies of OSDs, as ceph tell osd.N perf histogram dump prints them",
	Command: "ceph tell osd.N perf histogram dump after date -u +%FT%TZ and echo osd.N",
	Signs:   []string{"latency_out_bytes_histogram"},
	Read:    readCephHistogram,
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

// cephHistogramMaxObject bounds the JSON of one OSD: it has two tables of 32 times 32 numbers.
const cephHistogramMaxObject = 4 << 20

// cephHistogramPoll is where in the text the reader is.
type cephHistogramPoll struct {
	text   *Text
	at     int64
	osd    string
	object cephHistogramObject
}

func readCephHistogram(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		p := cephHistogramPoll{text: t, osd: t.Stem()}
		for {
			line, ok, err := t.Next()
			if !ok || err != nil {
				if err != nil {
					yield(Sample{}, err)
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
				yield(Sample{}, err)
				return
			}
		}
	}
}

// take takes a line: a time, the name of an OSD, or a part of its JSON. Without
// spaces (-f json) ceph ends it without a new line, so that the next time follows.
func (p *cephHistogramPoll) take(line string) (list []Sample, err error) {
	for line != "" && err == nil {
		var some []Sample
		some, line, err = p.takeFirst(line)
		list = append(list, some...)
	}
	return list, err
}

// takeFirst takes the beginning of a line, and returns the rest.
func (p *cephHistogramPoll) takeFirst(line string) (list []Sample, rest string, err error) {
	if p.object.depth == 0 {
		if at, ok := clock(line); ok {
			p.at = at
			return nil, "", nil
		}
		if m := osdLine.FindStringSubmatch(line); m != nil {
			p.osd, line = m[1], m[2]
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "{") {
			return nil, "", nil
		}
	}
	end := p.object.take(line)
	if p.object.text.Len() > cephHistogramMaxObject {
		return nil, "", p.text.Errorf("JSON of more than %d MB", cephHistogramMaxObject>>20)
	}
	if p.object.depth > 0 {
		return nil, "", nil
	}
	text := p.object.text.String()
	p.object = cephHistogramObject{}
	list, err = p.samples(text)
	return list, line[end:], err
}

// An cephHistogramObject is JSON whose end was not seen yet.
type cephHistogramObject struct {
	text  strings.Builder
	depth int // of braces, which its strings have none of
}

// take adds a line, and says where in it the object ends.
func (o *cephHistogramObject) take(line string) (end int) {
	for end < len(line) {
		switch line[end] {
		case '{':
			o.depth++
		case '}':
			o.depth--
		}
		end++
		if o.depth <= 0 && line[end-1] == '}' {
			break
		}
	}
	o.text.WriteString(line[:end])
	o.text.WriteByte('\n')
	return end
}

func (p *cephHistogramPoll) samples(text string) (list []Sample, err error) {
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
			return nil, p.text.Errorf("%s of %s: its first axis is to be a latency, with a row of numbers for each range", n.of, p.osd)
		}
		list = append(list, Sample{Time: p.at, Component: p.osd, Peers: "osds", Op: n.op, Kind: histogramSince, Bins: bins})
	}
	return list, nil
}

// bins adds up sizes.
func (t *table) bins() (bins []Bin, ok bool) {
	if len(t.Axes) == 0 || !strings.HasPrefix(t.Axes[0].Name, "Latency") || len(t.Axes[0].Ranges) != len(t.Values) {
		return nil, false
	}
	for i, r := range t.Axes[0].Ranges {
		b := Bin{HighNs: math.Inf(1)}
		if r.Min != nil {
			b.LowNs = max(*r.Min, 0)
		}
		if r.Max != nil {
			b.HighNs = max(*r.Max+1, 0)
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
