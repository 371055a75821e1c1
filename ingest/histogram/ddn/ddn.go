package ddn

import (
	"iter"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/histogram"
	"github.com/limpet-storage/limpet/record/blklat"
)

// Form is that of an S2A's delays.
var Form = histogram.Form{
	Name:    "ddn",
	Title:   "delays of DDN S2A controllers, as their API tells them",
	Command: "the delay statistics of the S2A's API after date -u +%FT%TZ",
	Signs:   []string{"time_interval_in_seconds@", "host_reads@"},
	Read:    read,
}

const interval = "time_interval_in_seconds"

var operations = map[string]blklat.Op{"host_reads": blklat.Read, "host_writes": blklat.Write}

func read(t *histogram.Text) iter.Seq2[histogram.Sample, error] {
	return func(yield func(histogram.Sample, error) bool) {
		at := int64(0)
		for {
			line, ok, err := t.Next()
			if !ok || err != nil {
				if err != nil {
					yield(histogram.Sample{}, err)
				}
				return
			}
			if now, isTime := histogram.Clock(line); isTime {
				at = now
				continue
			}
			if !strings.Contains(line, interval) {
				continue
			}
			bins, err := delays(t, line, at)
			if err != nil {
				yield(histogram.Sample{}, err)
				return
			}
			for op, bins := range bins {
				s := histogram.Sample{Time: at, Component: t.Stem(), Peers: "controllers", Op: blklat.Op(op), Kind: histogram.Since, Bins: bins}
				if len(bins) > 0 && !yield(s, nil) {
					return
				}
			}
		}
	}
}

// delays reads the fields of an answer: names and values in turn.
func delays(t *histogram.Text, line string, at int64) (bins [2][]histogram.Bin, err error) {
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
			bins[op] = append(bins[op], histogram.Bin{LowNs: low, HighNs: high, Requests: v})
		}
		i++
	}
	return bins, nil
}
