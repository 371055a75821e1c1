package tool

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// prometheusHistograms reads histograms in Prometheus's text format. The histograms come from
// ebpf_exporter (biolatency), from files that node_exporter serves (textfile), or from `limpet
// record`. A script polls the histograms, and prints a line with the time before each poll.
//
//	while sleep 15; do date -u +%FT%TZ; curl -s localhost:9435/metrics; done > fs1.prom
//
//	2026-11-15T23:12:20Z
//	# TYPE ebpf_exporter_bio_latency_seconds histogram
//	ebpf_exporter_bio_latency_seconds_bucket{device="sda",operation="read",le="0.000256"} 1204
//	ebpf_exporter_bio_latency_seconds_bucket{device="sda",operation="read",le="+Inf"} 1311
//
// A histogram belongs to a drive if it has a label `device`, `disk` or `dev`. A histogram has
// latencies if its name ends in a unit of time, or contains the word "latency" or "duration". If
// the name does not end in a unit of time, the unit is microseconds. Histograms of the time in
// queues, which `limpet record` also writes, are ignored. The name of the file is the name of the
// server.
var prometheusHistograms = HistogramFormat{
	Name:    "prometheus-histograms",
	Title:   "histograms of drives, from ebpf_exporter, textfiles or limpet record",
	Command: "date -u +%FT%TZ; curl localhost:9435/metrics",
	Sign:    Sign{Texts: []string{`_bucket{`, `le="`}},
	Read:    readPrometheus,
}

// prometheusKey identifies a histogram of one poll.
type prometheusKey struct {
	device string
	op     blklat.Op
}

// prometheusPoll collects the histograms of one poll: all histograms since the last line with a
// time.
type prometheusPoll struct {
	text  *Text
	time  int64
	found map[prometheusKey][]Bin // cumulative counts of requests
}

func readPrometheus(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		p := prometheusPoll{text: t, found: map[prometheusKey][]Bin{}}
		for {
			line, ok, err := t.Next()
			if err != nil {
				yield(Sample{}, err)
				return
			}
			at, isTime := parseClockLine(line)
			if !ok || isTime {
				if !p.end(yield) || !ok {
					return
				}
				p.time = at
				continue
			}
			if err := p.take(line); err != nil {
				yield(Sample{}, err)
				return
			}
		}
	}
}

// take reads a line. It ignores a line that is not a bucket of a histogram of a drive.
func (p *prometheusPoll) take(line string) error {
	name, labels, value, ok := splitExposition(line)
	if !ok {
		return nil
	}
	perUnit, ok := prometheusUnitNs(name)
	device := cmp.Or(labels["device"], labels["disk"], labels["dev"])
	op, known := prometheusOp(cmp.Or(labels["operation"], labels["op"], labels["direction"]))
	if !ok || device == "" || !known {
		return nil
	}
	if p.time == 0 {
		return p.text.Errorf("the output has no time: run `date -u +%%FT%%TZ` before each output")
	}
	bound, err := strconv.ParseFloat(labels["le"], 64)
	n, errCount := strconv.ParseFloat(value, 64)
	if err != nil || errCount != nil || math.IsNaN(bound) || bound < 0 || !(n >= 0) || math.IsInf(n, 0) {
		return p.text.Errorf("a histogram has %q requests in the bucket le=%q: both values must be numbers", value, labels["le"])
	}
	k := prometheusKey{strings.TrimPrefix(device, "/dev/"), op}
	p.found[k] = append(p.found[k], Bin{HighNs: bound * perUnit, Requests: n})
	return nil
}

// end yields the samples of a poll, and clears p.found for the next poll.
func (p *prometheusPoll) end(yield func(Sample, error) bool) bool {
	keys := make([]prometheusKey, 0, len(p.found))
	for k := range p.found {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b prometheusKey) int { return cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.op, b.op)) })
	for _, k := range keys {
		host := p.text.Stem()
		s := Sample{Time: p.time, Component: host + "/" + k.device, Peers: host, Op: k.op, Kind: sinceStart, Bins: separateBins(p.found[k])}
		if !yield(s, nil) {
			return false
		}
	}
	clear(p.found)
	return true
}

// separateBins returns the number of requests in each bin. The input has cumulative
// counts: each count includes the requests of all lower bins. Several counts can have the
// same upper bound, because they differ in labels that limpet does not use. These counts
// are added up.
func separateBins(bins []Bin) (out []Bin) {
	slices.SortStableFunc(bins, func(a, b Bin) int { return cmp.Compare(a.HighNs, b.HighNs) })
	low, below := 0.0, 0.0
	for i := 0; i < len(bins); {
		b := Bin{LowNs: low, HighNs: bins[i].HighNs}
		all := 0.0
		for ; i < len(bins) && bins[i].HighNs == b.HighNs; i++ {
			all += bins[i].Requests
		}
		b.Requests = max(all-below, 0)
		out, low, below = append(out, b), b.HighNs, max(all, below)
	}
	return out
}

// prometheusUnitNs returns the number of ns in the unit of a histogram's bounds: 1e6 if the bounds
// are in ms. It finds the unit in the name of the histogram. The result `ok` is false if the name
// does not belong to a histogram of latencies. Examples are histograms of sizes, and histograms of
// the time that requests spend in queues.
func prometheusUnitNs(bucket string) (ns float64, ok bool) {
	name, ok := strings.CutSuffix(bucket, "_bucket")
	if !ok || strings.Contains(name, "queue") || strings.Contains(name, "size") || strings.Contains(name, "bytes") {
		return 0, false
	}
	for _, u := range []struct {
		end string
		ns  float64
	}{{"_milliseconds", 1e6}, {"_ms", 1e6}, {"_microseconds", 1e3}, {"_us", 1e3}, {"_nanoseconds", 1}, {"_ns", 1}, {"_seconds", 1e9}} {
		if strings.HasSuffix(name, u.end) {
			return u.ns, true
		}
	}
	return 1e3, strings.Contains(name, "latency") || strings.Contains(name, "duration")
}

// prometheusOp returns the operation that the value of a label names. An empty value means that the
// histogram has no such label. All requests then count as reads. The second result is false for an
// unknown operation.
func prometheusOp(text string) (blklat.Op, bool) {
	switch strings.ToLower(text) {
	case "", "read", "r", "reads":
		return blklat.Read, true
	case "write", "w", "writes":
		return blklat.Write, true
	}
	return 0, false
}

// splitExposition splits a line into the name, the labels and the value of a sample.
func splitExposition(line string) (name string, labels map[string]string, value string, ok bool) {
	name, rest, ok := strings.Cut(line, "{")
	if !ok || strings.HasPrefix(line, "#") {
		return "", nil, "", false
	}
	labels = map[string]string{}
	for {
		rest = strings.TrimLeft(rest, ", ")
		if after, end := strings.CutPrefix(rest, "}"); end {
			fields := strings.Fields(after)
			if len(fields) == 0 {
				return "", nil, "", false
			}
			return name, labels, fields[0], true
		}
		label, after, ok := strings.Cut(rest, `="`)
		if !ok {
			return "", nil, "", false
		}
		text, after, ok := cutQuoted(after)
		if !ok {
			return "", nil, "", false
		}
		labels[label], rest = text, after
	}
}

// cutQuoted cuts a text at the first quote that has no backslash before it. It returns
// the text before the quote, without backslashes, and the text after the quote.
func cutQuoted(text string) (value, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:], true
		case text[i] == '\\' && i+1 < len(text):
			i++
			fallthrough
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", false
}
