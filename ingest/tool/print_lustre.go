package tool

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// brwPrint reads the output of the command `lctl get_param obdfilter.*.brw_stats` (or
// osd-*.*.brw_stats) of a server of Lustre. Each target has histograms since the counters were
// cleared:
//
//	obdfilter.scratch-OST0012.brw_stats=
//	snapshot_time:         1684867636.682465202 secs.nsecs
//
//	                           read      |     write
//	I/O time (1/1000s)     ios   % cum % |  ios         % cum %
//	1:                     401  10  10   |  120   5   5
//	2:                    1802  45  55   | 1200  50  55
//
// In histograms of times and sizes, the number before the colon is the upper end of a bin. The lower
// end is half of the upper end.
var brwPrint = printFormat{
	name:  "lctl get_param *.brw_stats",
	signs: []Sign{{Texts: []string{"I/O time (1/1000s)"}}},
	open: func(b *printBuilder) printReader {
		r := &brwStats{b: b, seen: map[string]bool{}}
		return printReader{line: r.line, end: r.end}
	},
}

// inFlightBulk is a metric of a Lustre target (an OST or MDT): the number of disk I/Os in flight.
var inFlightBulk = look.Metric{Name: "disk I/Os in flight", Role: look.Queue}

// brwStats is the state of the reader of brw_stats.
type brwStats struct {
	b        *printBuilder
	target   string
	time     string
	table    string
	sums     map[string]*brwSum
	seen     map[string]bool // targets of the current look
	seconds  float64
	anything bool
	targets  int
}

// A brwSum has the sum of the values and the number of requests of a histogram, for reads and for
// writes.
type brwSum struct{ sum, count [2]float64 }

var (
	brwParam = lazyregexp.New(`^(?:[\w-]+\.)?([\w.-]+?)\.brw_stats=`)
	brwTable = lazyregexp.New(`^(I/O time \(1/1000s\)|disk I/O size|disk I/Os in flight)\s+\w+\s+%`)
	brwBin   = lazyregexp.New(`^\s*(\d+)([KMG]?):\s+(\d+)\s+\d+\s+\d+\s*\|\s*(\d+)\s+\d+\s+\d+\s*$`)
	brwClock = lazyregexp.New(`^(snapshot_time|elapsed_time):\s+(\d+)(?:\.\d+)?`)
	paramOf  = lazyregexp.New(`^[a-z][\w-]*\.[^=\s]+=`)
)

func (r *brwStats) line(line string) error {
	if m := brwParam.FindStringSubmatch(line); m != nil {
		r.end()
		r.target = m[1]
		return nil
	}
	if paramOf.MatchString(line) { // the line begins another parameter
		r.end()
		return nil
	}
	if m := brwClock.FindStringSubmatch(line); m != nil {
		if m[1] == "snapshot_time" {
			if r.target == "" {
				r.end() // no line names a target: each snapshot_time begins the statistics of the next target
			}
			r.time = m[2]
			r.anything = true
		} else if s, err := strconv.ParseFloat(m[2], 64); err == nil {
			r.seconds = s
		}
		return nil
	}
	if m := brwTable.FindStringSubmatch(line); m != nil {
		r.table = m[1]
		r.anything = true
		return nil
	}
	m := brwBin.FindStringSubmatch(line)
	switch {
	case m == nil && strings.TrimSpace(line) == "":
		r.table = ""
	case m != nil && r.table != "":
		return r.bin(m)
	case m == nil && r.table != "" && strings.Contains(line, ":"):
		return fmt.Errorf("a line of the table %q is damaged and is left out: run lctl again", r.table)
	}
	return nil
}

func (r *brwStats) bin(m []string) error {
	bound, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return err
	}
	bound *= map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[m[2]]
	middle := bound
	if r.table != inFlightBulk.Name {
		const middleOfBin = 0.75 // a bin begins at half of its upper end, so its middle is (0.5 + 1) / 2 of the upper end
		middle *= middleOfBin
	}
	if r.sums == nil {
		r.sums = map[string]*brwSum{}
	}
	s := r.sums[r.table]
	if s == nil {
		s = &brwSum{}
		r.sums[r.table] = s
	}
	for op, text := range m[3:5] {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		s.count[op] += n
		s.sum[op] += n * middle
	}
	return nil
}

// end adds the sample of the current target, and clears the state for the next target.
func (r *brwStats) end() {
	target, sums, seconds := r.target, r.sums, r.seconds
	known := r.anything
	r.target, r.sums, r.table, r.seconds, r.anything = "", nil, "", 0, false
	if !known || strings.HasPrefix(target, "MGS") {
		return
	}
	if target == "" {
		r.targets++
		target = unnamed(r.b.file, "target", r.targets)
	}
	if len(r.b.looks) == 0 || r.seen[target] {
		r.seen = map[string]bool{}
		r.b.begin("", r.time, look.SinceStart)
		r.b.looks[len(r.b.looks)-1].Seconds = seconds
	}
	r.seen[target] = true
	kind := "OSTs"
	if strings.Contains(target, "-MDT") {
		kind = "MDTs"
	}
	s := look.Sample{Component: target, Kind: kind}
	if times := sums["I/O time (1/1000s)"]; times != nil {
		for op, m := range []look.Metric{look.ReadLatency, look.WriteLatency} {
			s.Counters = append(s.Counters, look.Counter{Metric: m, Sum: times.sum[op], Count: times.count[op]})
		}
		s.Counters = append(s.Counters, look.Counter{Metric: look.Requests, Sum: times.count[0] + times.count[1], Count: look.PerSecond})
	}
	if sizes := sums["disk I/O size"]; sizes != nil {
		const bytesPerKB = 1024
		s.Counters = append(s.Counters,
			look.Counter{Metric: look.ReqSize, Sum: (sizes.sum[0] + sizes.sum[1]) / bytesPerKB, Count: sizes.count[0] + sizes.count[1]})
	}
	if flight := sums[inFlightBulk.Name]; flight != nil {
		s.Counters = append(s.Counters,
			look.Counter{Metric: inFlightBulk, Sum: flight.sum[0] + flight.sum[1], Count: flight.count[0] + flight.count[1]})
	}
	r.b.add(s)
}
