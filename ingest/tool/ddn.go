package tool

import (
	"iter"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// ddnHistograms reads the delays that the API of a DDN S2A controller reports. A script polls the
// API, and prints a line with the time before each answer. The character @ separates the fields of
// an answer:
//
//	2026-11-15T23:12:20Z
//	0@106@time_interval_in_seconds@0.1@host_reads@696778@host_writes@171313@disk_reads@96732@disk_writes@2717@time_interval_in_seconds@0.2@host_reads@128@…@$
//
// A count is a number of requests since the start of the controller. It counts the requests with a
// delay in one interval. The number after time_interval_in_seconds is the upper end of the interval,
// in seconds. Only the requests of hosts are used (host_reads, host_writes). The name of the file is
// the name of the controller. The peers of the controller are the other controllers. Intervals are
// 0.1 s wide, so delays below 0.1 s cannot be distinguished.
var ddnHistograms = HistogramFormat{
	Name:    "ddn",
	Title:   "delays of DDN S2A controllers, from their API",
	Command: "date -u +%FT%TZ, followed by the delay statistics of the S2A's API",
	Sign:    Sign{Texts: []string{"time_interval_in_seconds@", "host_reads@"}},
	Read:    readDDN,
}

const ddnInterval = "time_interval_in_seconds"

var ddnOperations = map[string]blklat.Op{"host_reads": blklat.Read, "host_writes": blklat.Write}

func readDDN(t *Text) iter.Seq2[Sample, error] {
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
			if now, isTime := parseClockLine(line); isTime {
				at = now
				continue
			}
			if !strings.Contains(line, ddnInterval) {
				continue
			}
			bins, err := ddnDelays(t, line, at)
			if err != nil {
				yield(Sample{}, err)
				return
			}
			for op, bins := range bins {
				s := Sample{Time: at, Component: t.Stem(), Peers: "controllers", Op: blklat.Op(op), Kind: sinceStart, Bins: bins}
				if len(bins) > 0 && !yield(s, nil) {
					return
				}
			}
		}
	}
}

// ddnDelays parses the fields of an answer. In the answer, each name is followed by its value.
func ddnDelays(t *Text, line string, at int64) (bins [2][]Bin, err error) {
	if at == 0 {
		return bins, t.Errorf("the output has no time: run `date -u +%%FT%%TZ` before each output")
	}
	const nsInSecond = 1e9
	low, high := 0.0, 0.0
	fields := strings.Split(strings.TrimSpace(line), "@")
	for i := 0; i+1 < len(fields); i++ {
		name, value := fields[i], fields[i+1]
		op, counted := ddnOperations[name]
		if name != ddnInterval && !counted {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0) || v > 1e15 {
			return bins, t.Errorf("the value %[2]q of %[1]s is not a number", name, value)
		}
		if name == ddnInterval {
			low, high = high, v*nsInSecond
		} else {
			bins[op] = append(bins[op], Bin{LowNs: low, HighNs: high, Requests: v})
		}
		i++
	}
	return bins, nil
}
