package tool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/record/blklat"
)

// cephTable reads the output of the command `ceph osd perf`. A script polls ceph, and prints a line
// with the time before each output. The output is text or JSON (-f json, -f json-pretty).
//
//	while sleep 15; do date -u +%FT%TZ; ceph osd perf -f json; done > perf.txt
//
//	2026-11-15T23:12:20Z
//	osd  commit_latency(ms)  apply_latency(ms)
//	  2                   4                  4
//	  0                   3                  3
//
// JSON is better than text: JSON of recent versions has latencies in nanoseconds. Text has whole
// milliseconds, which are too coarse to show a difference between fast drives.
var cephTable = TableFormat{
	Name:    "ceph",
	Command: "date -u +%FT%TZ; ceph osd perf",
	Columns: []string{"time", "osd", "commit", "apply"}, // latencies in ms
	Signs:   []Sign{{[]string{"commit_latency"}, "text of ceph osd perf"}},
	Open: func(src *bufio.Reader) rowSource {
		p := &cephPerfPoll{}
		return newLineSource(src, p.line)
	},
}

var errExporterNumber = errors.New("a line is left out, because the value of its counter is not a number")

var errCephTime = errors.New("the output has no time: run `date -u +%FT%TZ` before each output")

// maxCephPerfJSON is the largest size of the JSON of one poll, in bytes. The JSON of 100,000 OSDs
// is smaller.
const maxCephPerfJSON = 64 << 20

// cephPerfPoll is the state of the reader for the output of the command `ceph osd perf`.
type cephPerfPoll struct {
	time   string
	object []byte // the part of a JSON object that was read so far; nil if no object has begun
}

func (p *cephPerfPoll) line(line string, rows *csvRows) error {
	if p.object != nil || strings.HasPrefix(strings.TrimSpace(line), "{") {
		return p.json(line, rows)
	}
	if time, ok := rows.Dates.Time(line); ok {
		p.time = time
		return nil
	}
	f := strings.Fields(line)
	if len(f) != 3 || f[0] == "osd" {
		return nil
	}
	if _, err := strconv.Atoi(f[0]); err != nil {
		return nil
	}
	return p.add(f[0], f[1], f[2], rows)
}

func (p *cephPerfPoll) add(osd, commit, apply string, rows *csvRows) error {
	if p.time == "" {
		return errCephTime
	}
	rows.Add(p.time, "osd."+osd, commit, apply)
	return nil
}

// cephPerfJSON is the JSON of one poll. Releases before Nautilus have osd_perf_infos at
// the top level. Later releases have it inside osdstats.
type cephPerfJSON struct {
	Infos []cephPerfInfo `json:"osd_perf_infos"`
	Stats struct {
		Infos []cephPerfInfo `json:"osd_perf_infos"`
	} `json:"osdstats"`
}

type cephPerfInfo struct {
	ID    int `json:"id"`
	Stats struct {
		CommitMs float64  `json:"commit_latency_ms"`
		ApplyMs  float64  `json:"apply_latency_ms"`
		CommitNs *float64 `json:"commit_latency_ns"`
		ApplyNs  *float64 `json:"apply_latency_ns"`
	} `json:"perf_stats"`
}

// json collects lines until they form a complete JSON object. It then adds the rows of the object.
func (p *cephPerfPoll) json(line string, rows *csvRows) error {
	p.object = append(append(p.object, line...), '\n')
	if len(p.object) > maxCephPerfJSON {
		return fmt.Errorf("the JSON has more than %d MB, which is the limit: give shorter output", maxCephPerfJSON>>20)
	}
	if !strings.Contains(line, "}") || !json.Valid(p.object) {
		return nil
	}
	var o cephPerfJSON
	err := json.Unmarshal(p.object, &o)
	p.object = nil
	if err != nil {
		return err
	}
	for _, i := range append(o.Infos, o.Stats.Infos...) {
		if err := p.add(strconv.Itoa(i.ID), cephMs(i.Stats.CommitMs, i.Stats.CommitNs), cephMs(i.Stats.ApplyMs, i.Stats.ApplyNs), rows); err != nil {
			return err
		}
	}
	return nil
}

// cephMs formats a latency in ms. If the output also has the latency in nanoseconds, cephMs uses
// this more exact value.
func cephMs(ms float64, ns *float64) string {
	return strconv.FormatFloat(cephMsOf(ms, ns), 'g', -1, 64)
}

func cephMsOf(ms float64, ns *float64) float64 {
	if ns != nil && *ns > 0 {
		return *ns / 1e6
	}
	return ms
}

// cephHistograms reads the output of the command `ceph tell osd.N perf histogram dump`. A script
// polls all OSDs, and prints the time before each poll and the name of the OSD before each dump:
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
// Reads are in the histogram whose name begins with op_r. Writes are in the histogram whose name
// begins with op_w. The counts of all request sizes are added up. The latency of an OSD includes
// the time in the queue of the OSD. The name of the axis contains usec, but the numbers on the axis
// are nanoseconds. In a test, the program `rados bench` measured a latency of 2.2 ms, and the
// requests were in a range around 2.2 million. Latencies up to 100 µs are in one bin.
var cephHistograms = HistogramFormat{
	Name:    "ceph-histograms",
	Title:   "latencies of OSDs, from ceph tell osd.N perf histogram dump",
	Command: "date -u +%FT%TZ; echo osd.N; ceph tell osd.N perf histogram dump",
	Sign:    Sign{Texts: []string{"latency_out_bytes_histogram"}},
	Read:    readCephHistograms,
}

// cephHistogramJSON is the dump of one OSD.
type cephHistogramJSON struct {
	OSD map[string]cephHistogramTable `json:"osd"`
}

type cephHistogramTable struct {
	Axes []struct {
		Name   string               `json:"name"`
		Ranges []cephHistogramRange `json:"ranges"`
	} `json:"axes"`
	Values [][]float64 `json:"values"`
}

type cephHistogramRange struct {
	Min *float64 `json:"min"`
	Max *float64 `json:"max"`
}

// cephHistogramNames lists the histograms that are read. The operation of a histogram is read or
// write.
var cephHistogramNames = []struct {
	name string
	op   blklat.Op
}{{"op_r_latency_out_bytes_histogram", blklat.Read}, {"op_w_latency_in_bytes_histogram", blklat.Write}}

var osdLine = lazyregexp.New(`^\s*(osd\.\d+):?\s*(\{.*)?$`)

// maxCephHistogramJSON is the largest size of the dump of one OSD, in bytes. A real dump is much
// smaller: it has two tables of 32 times 32 numbers.
const maxCephHistogramJSON = 4 << 20

// cephHistogramPoll is the state of the reader of histogram dumps.
type cephHistogramPoll struct {
	text   *Text
	time   int64
	osd    string
	object jsonText
}

func readCephHistograms(t *Text) iter.Seq2[Sample, error] {
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

// take reads a line: a time, the name of an OSD, or a part of the dump of an OSD. With -f json,
// ceph prints no newline after the JSON. The next time or the name of the next OSD then follows on
// the same line.
func (p *cephHistogramPoll) take(line string) (list []Sample, err error) {
	for line != "" && err == nil {
		var some []Sample
		some, line, err = p.takeFirst(line)
		list = append(list, some...)
	}
	return list, err
}

// takeFirst reads the time, the name of an OSD, or the part of a dump at the beginning of a line.
// It returns the rest of the line.
func (p *cephHistogramPoll) takeFirst(line string) (list []Sample, rest string, err error) {
	if p.object.depth == 0 {
		if at, ok := parseClockLine(line); ok {
			p.time = at
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
	if p.object.text.Len() > maxCephHistogramJSON {
		return nil, "", p.text.Errorf("the JSON has more than %d MB, which is the limit: give shorter output", maxCephHistogramJSON>>20)
	}
	if p.object.depth > 0 {
		return nil, "", nil
	}
	text := p.object.text.String()
	p.object = jsonText{}
	list, err = p.samples(text)
	return list, line[end:], err
}

func (p *cephHistogramPoll) samples(text string) (list []Sample, err error) {
	var d cephHistogramJSON
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return nil, p.text.Errorf("the JSON that ends in this line cannot be read (%w): give the output of `ceph tell osd.N perf histogram dump` again", err)
	}
	for _, n := range cephHistogramNames {
		t, ok := d.OSD[n.name]
		if !ok {
			continue
		}
		if p.time == 0 {
			return nil, p.text.Errorf("the output has no time: run `date -u +%%FT%%TZ` before each output")
		}
		bins, ok := t.bins()
		if !ok {
			return nil, p.text.Errorf("%s of %s cannot be read: the first axis of the histogram must be a latency, with a row of numbers for each range of latencies", n.name, p.osd)
		}
		list = append(list, Sample{Time: p.time, Component: p.osd, Peers: "osds", Op: n.op, Kind: sinceStart, Bins: bins})
	}
	return list, nil
}

// bins returns the number of requests in each range of latencies. It adds up the numbers of all
// request sizes.
func (t *cephHistogramTable) bins() (bins []Bin, ok bool) {
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
