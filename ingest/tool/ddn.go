// This file is the form of the delays that a DDN S2A controller tells by its API,
// polled, with the time before each. The fields of an answer stand between at signs:
//
//	2026-11-15T23:12:20Z
//	0@106@time_interval_in_seconds@0.1@host_reads@696778@host_writes@171313@disk_reads@96732@disk_writes@2717@time_interval_in_seconds@0.2@host_reads@128@…@$
//
// The counts are of requests since the controller began whose delay is up to that
// interval and longer than the one before. What hosts have waited for counts. The
// file is named by its controller, whose peers are the other controllers. Intervals
// are 0.1 s wide: of tails those show that are longer.

package tool

import (
	"iter"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// ddnForm is that of an S2A's delays.
var ddnForm = HistogramForm{
	Name:    "ddn",
	Title:   "delays of DDN S2A controllers, as their API tells them",
	Command: "the delay statistics of the S2A's API after date -u +%FT%TZ",
	Signs:   []string{"time_interval_in_seconds@", "host_reads@"},
	Read:    readDdn,
}

const interval = "time_interval_in_seconds"

var operations = map[string]blklat.Op{"host_reads": blklat.Read, "host_writes": blklat.Write}

func readDdn(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		at := int64(0)
		for {
			line, ok, err := t.Next()
			if !ok || err != nil {
				if err != nil {
					yield(Sample{}, err)
				}
				return
			}
			if now, isTime := clock(line); isTime {
				at = now
				continue
			}
			if !strings.Contains(line, interval) {
				continue
			}
			bins, err := delays(t, line, at)
			if err != nil {
				yield(Sample{}, err)
				return
			}
			for op, bins := range bins {
				s := Sample{Time: at, Component: t.Stem(), Peers: "controllers", Op: blklat.Op(op), Kind: histogramSince, Bins: bins}
				if len(bins) > 0 && !yield(s, nil) {
					return
				}
			}
		}
	}
}

// delays reads the fields of an answer: names and values in turn.
func delays(t *Text, line string, at int64) (bins [2][]Bin, err error) {
	if at == 0 {
		return bins, t.Errorf("delays without a time: print it before each poll, with date -u +%%FT%%TZ")
	}
	const nsInSecond = 1e9
	low, high := 0.0, 0.0
	fields := strings.Split(strings.TrimSpace(line), "@")
	for i := 0; i+1 < len(fields); i++ {
		name, value := fields[i], fields[i+1]
		op, counted := operations[name]
		if name != interval && !counted {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0) || v > 1e15 {
			return bins, t.Errorf("%s is %q: a number is needed", name, value)
		}
		if name == interval {
			low, high = high, v*nsInSecond
		} else {
			bins[op] = append(bins[op], Bin{LowNs: low, HighNs: high, Requests: v})
		}
		i++
	}
	return bins, nil
}
