package zpool

import (
	"iter"
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/ingest/histogram"
	"github.com/limpet-storage/limpet/record/blklat"
)

// Form is that of zpool iostat -w.
var Form = histogram.Form{
	Name:    "zpool-histograms",
	Title:   "drives of ZFS pools, as zpool iostat -wvpy -T u prints their latencies",
	Command: "zpool iostat -wvpy -T u POOL 15",
	Signs:   []string{"total_wait", "disk_wait", "latency ", "1ns"},
	Read:    read,
}

// groups are what pools call sets of drives.
var groups = regexp.MustCompile(`^(mirror|raidz\d?|draid\d*|spare|replacing|logs?|cache|special|dedup|indirect)(-\d+)?(:.*)?$`)

// report is where in the text the reader is.
type report struct {
	text    *histogram.Text
	reports int
	at      int64
	pool    string
	name    string // of the table at hand
	wait    int    // the column of disk_wait, 0 where there is none
	bins    [2][]histogram.Bin
}

func read(t *histogram.Text) iter.Seq2[histogram.Sample, error] {
	return func(yield func(histogram.Sample, error) bool) {
		r := report{text: t}
		for {
			line, ok, err := t.Next()
			if err != nil {
				yield(histogram.Sample{}, err)
				return
			}
			if !ok {
				r.end(yield)
				return
			}
			if at, isTime := histogram.Clock(line); isTime {
				if !r.end(yield) {
					return
				}
				r.at, r.pool = at, ""
				r.reports++
				continue
			}
			fields := strings.Fields(line)
			if len(fields) > 1 && fields[1] == "total_wait" {
				if !r.end(yield) {
					return
				}
				r.begin(fields)
				continue
			}
			if err := r.take(fields); err != nil {
				yield(histogram.Sample{}, err)
				return
			}
		}
	}
}

// begin begins a table. Each wait has two columns.
func (r *report) begin(fields []string) {
	r.name, r.wait = fields[0], 0
	for i, name := range fields[1:] {
		if name == "disk_wait" {
			r.wait = 1 + 2*i
		}
	}
	if r.pool == "" {
		r.pool, r.wait = r.name, 0
	}
	if groups.MatchString(r.name) {
		r.wait = 0
	}
}

// take takes a line of a table.
func (r *report) take(fields []string) error {
	if r.wait == 0 || len(fields) < r.wait+2 {
		return nil
	}
	high, ok := histogram.Duration(fields[0])
	if !ok {
		return nil // the second line of the head, or a rule
	}
	if r.at == 0 {
		return r.text.Errorf("latencies without a time: print it with -T u")
	}
	for op := range r.bins {
		n, ok := histogram.Count(fields[r.wait+op])
		if !ok {
			return r.text.Errorf("%q requests of %s: a number is needed; print it with -p", fields[r.wait+op], fields[0])
		}
		r.bins[op] = append(r.bins[op], histogram.Bin{LowNs: high / 2, HighNs: high, Requests: n})
	}
	return nil
}

// end hands out a table.
func (r *report) end(yield func(histogram.Sample, error) bool) bool {
	for op, bins := range r.bins {
		r.bins[op] = nil
		if len(bins) == 0 || r.reports < 2 {
			continue
		}
		s := histogram.Sample{Time: r.at, Component: r.pool + "/" + r.name, Peers: r.pool, Op: blklat.Op(op), Kind: histogram.New, Bins: bins}
		if !yield(s, nil) {
			return false
		}
	}
	r.wait = 0
	return true
}
