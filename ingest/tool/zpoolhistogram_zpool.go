// This file is the form of what zpool iostat -wvp -T u of OpenZFS prints at an
// interval: a table for the pool, each group in it and each drive.
//
//	zpool iostat -wvpy -T u tank 15 > tank.txt
//
//	1794784343
//
//	sda          total_wait     disk_wait    syncq_wait    asyncq_wait
//	latency      read  write   read  write   read  write   read  write  scrub   trim
//	----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
//	1ns             0      0      0      0      0      0      0      0      0      0
//	…
//	2ms             3     25      3     15      0      0      0     17      0      0
//	--------------------------------------------------------------------------------
//
// The time in the drive counts (disk_wait). A line's time is the longest of its bin,
// which is an octave wide. zpool does not say which table is a drive's: pools and
// groups are left out by their names (mirror-0, raidz1-0, …), and the first table of
// a report is the pool, of which a file has one. The first report is left out, which
// without -y is since boot.

package tool

import (
	"iter"
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// zpoolHistogramForm is that of zpool iostat -w.
var zpoolHistogramForm = HistogramForm{
	Name:    "zpool-histograms",
	Title:   "drives of ZFS pools, as zpool iostat -wvpy -T u prints their latencies",
	Command: "zpool iostat -wvpy -T u POOL 15",
	Signs:   []string{"total_wait", "disk_wait", "latency ", "1ns"},
	Read:    readZpoolHistogram,
}

// groups are what pools call sets of drives.
var groups = regexp.MustCompile(`^(mirror|raidz\d?|draid\d*|spare|replacing|logs?|cache|special|dedup|indirect)(-\d+)?(:.*)?$`)

// zpoolHistogramReport is where in the text the reader is.
type zpoolHistogramReport struct {
	text    *Text
	reports int
	at      int64
	pool    string
	name    string // of the table at hand
	wait    int    // the column of disk_wait, 0 where there is none
	bins    [2][]Bin
}

func readZpoolHistogram(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		r := zpoolHistogramReport{text: t}
		for {
			line, ok, err := t.Next()
			if err != nil {
				yield(Sample{}, err)
				return
			}
			if !ok {
				r.end(yield)
				return
			}
			if at, isTime := clock(line); isTime {
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
				yield(Sample{}, err)
				return
			}
		}
	}
}

// begin begins a table. Each wait has two columns.
func (r *zpoolHistogramReport) begin(fields []string) {
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
func (r *zpoolHistogramReport) take(fields []string) error {
	if r.wait == 0 || len(fields) < r.wait+2 {
		return nil
	}
	high, ok := duration(fields[0])
	if !ok {
		return nil // the second line of the head, or a rule
	}
	if r.at == 0 {
		return r.text.Errorf("latencies without a time: print it with -T u")
	}
	for op := range r.bins {
		n, ok := count(fields[r.wait+op])
		if !ok {
			return r.text.Errorf("%q requests of %s: a number is needed; print it with -p", fields[r.wait+op], fields[0])
		}
		r.bins[op] = append(r.bins[op], Bin{LowNs: high / 2, HighNs: high, Requests: n})
	}
	return nil
}

// end hands out a table.
func (r *zpoolHistogramReport) end(yield func(Sample, error) bool) bool {
	for op, bins := range r.bins {
		r.bins[op] = nil
		if len(bins) == 0 || r.reports < 2 {
			continue
		}
		s := Sample{Time: r.at, Component: r.pool + "/" + r.name, Peers: r.pool, Op: blklat.Op(op), Kind: newHistogram, Bins: bins}
		if !yield(s, nil) {
			return false
		}
	}
	r.wait = 0
	return true
}
