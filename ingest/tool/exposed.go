// This file is the form of histograms in Prometheus's text: those of
// ebpf_exporter's biolatency, of files that node_exporter serves (textfile), and of
// limpet record itself, polled with a line of time before each.
//
//	while sleep 15; do date -u +%FT%TZ; curl -s localhost:9435/metrics; done > fs1.prom
//
//	2026-11-15T23:12:20Z
//	# TYPE ebpf_exporter_bio_latency_seconds histogram
//	ebpf_exporter_bio_latency_seconds_bucket{device="sda",operation="read",le="0.000256"} 1204
//	ebpf_exporter_bio_latency_seconds_bucket{device="sda",operation="read",le="+Inf"} 1311
//
// A histogram is of a drive where it has a label device, disk or dev, and of time
// where its name has latency, seconds, duration or time in it. Its unit is that of
// its name, or else microseconds where it has none. Of a recorder's own the time in
// the device counts. The file is named by its server.

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

// exposedForm is that of Prometheus's text.
var exposedForm = HistogramForm{
	Name:    "prometheus-histograms",
	Title:   "histograms of drives as ebpf_exporter, textfiles and limpet record expose them",
	Command: "curl localhost:9435/metrics after date -u +%FT%TZ",
	Signs:   []string{`_bucket{`, `le="`},
	Read:    readExposed,
}

// key tells histograms of one poll apart.
type key struct {
	device string
	op     blklat.Op
}

// exposedPoll is the histograms since the last line of time.
type exposedPoll struct {
	text  *Text
	at    int64
	found map[key][]Bin // cumulative
}

func readExposed(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		p := exposedPoll{text: t, found: map[key][]Bin{}}
		for {
			line, ok, err := t.Next()
			if err != nil {
				yield(Sample{}, err)
				return
			}
			at, isTime := clock(line)
			if !ok || isTime {
				if !p.end(yield) || !ok {
					return
				}
				p.at = at
				continue
			}
			if err := p.take(line); err != nil {
				yield(Sample{}, err)
				return
			}
		}
	}
}

// take takes a line. What is no bucket of a drive is none of ours.
func (p *exposedPoll) take(line string) error {
	name, labels, value, ok := split(line)
	if !ok {
		return nil
	}
	perUnit, ok := unitNs(name)
	device := cmp.Or(labels["device"], labels["disk"], labels["dev"])
	op, known := operation(cmp.Or(labels["operation"], labels["op"], labels["direction"]))
	if !ok || device == "" || !known {
		return nil
	}
	if p.at == 0 {
		return p.text.Errorf("histograms without a time: print it before each poll, with date -u +%%FT%%TZ")
	}
	bound, err := strconv.ParseFloat(labels["le"], 64)
	n, errCount := strconv.ParseFloat(value, 64)
	if err != nil || errCount != nil || math.IsNaN(bound) || bound < 0 || !(n >= 0) || math.IsInf(n, 0) {
		return p.text.Errorf("%s requests up to %q: numbers are needed", value, labels["le"])
	}
	k := key{strings.TrimPrefix(device, "/dev/"), op}
	p.found[k] = append(p.found[k], Bin{HighNs: bound * perUnit, Requests: n})
	return nil
}

// end hands out the histograms of a poll.
func (p *exposedPoll) end(yield func(Sample, error) bool) bool {
	keys := make([]key, 0, len(p.found))
	for k := range p.found {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.op, b.op)) })
	for _, k := range keys {
		host := p.text.Stem()
		s := Sample{Time: p.at, Component: host + "/" + k.device, Peers: host, Op: k.op, Kind: histogramSince, Bins: apart(p.found[k])}
		if !yield(s, nil) {
			return false
		}
	}
	clear(p.found)
	return true
}

// apart makes bins of cumulative counts. Several of one bound, of sets of labels
// that are not told apart here, are added up.
func apart(bins []Bin) (out []Bin) {
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

// unitNs is the unit of a histogram's bounds in ns, by its name. It is not ok for
// what is no time, and of a recorder for the time in queues.
func unitNs(bucket string) (ns float64, ok bool) {
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

// operation is that of a label; without one all are taken for reads.
func operation(text string) (blklat.Op, bool) {
	switch strings.ToLower(text) {
	case "", "read", "r", "reads":
		return blklat.Read, true
	case "write", "w", "writes":
		return blklat.Write, true
	}
	return 0, false
}

// split parts a line into name, labels and value.
func split(line string) (name string, labels map[string]string, value string, ok bool) {
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
		text, after, ok := quoted(after)
		if !ok {
			return "", nil, "", false
		}
		labels[label], rest = text, after
	}
}

// quoted reads up to a quote that is not escaped.
func quoted(text string) (value, rest string, ok bool) {
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
