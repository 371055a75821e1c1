// This file is the form of the logs that fio writes of each request:
//
//	fio --name=sda --filename=/dev/sda … --write_lat_log=sda --log_unix_epoch=1
//
//	1794784343001, 212992, 0, 4096, 0, 0
//	1794784343004, 198144, 1, 4096, 0, 0
//
// A line has the ms at which a request was done, the ns that it took, what it was
// (0 read, 1 write, 2 trim), and its size. Times that count from the begin of a run
// cannot be laid beside those of others: the error says how to log the clock's. The
// file is named by its drive, sda_clat.1.log; of the three logs of a run that of the
// completion counts (clat), since fio's own work is not in it.

package tool

import (
	"iter"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// fioForm is that of fio's logs.
var fioForm = HistogramForm{
	Name:    "fio",
	Title:   "requests as fio logs them (--write_lat_log, --log_unix_epoch=1)",
	Command: "fio --write_lat_log=sda --log_unix_epoch=1",
	Read:    readFio,
}

// second gathers the requests of one.
type second struct {
	at   int64
	bins [2]map[int]float64 // by bucket
}

func readFio(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		if strings.Contains(t.File, "_slat.") || strings.Contains(t.File, "_lat.") {
			return // the same requests, otherwise measured
		}
		var now second
		for {
			line, ok, err := t.Next()
			if err == nil && ok {
				err = now.take(t, line, yield)
			}
			switch {
			case err == errStop:
				return
			case err != nil:
				yield(Sample{}, err)
				return
			case !ok:
				now.end(t, yield)
				return
			}
		}
	}
}

type stop struct{}

func (stop) Error() string { return "nobody listens any more" }

var errStop error = stop{}

// fields of a line.
const (
	atField = iota
	tookField
	opField
	leastFields
)

// leastMs is the least time that is one of the clock: the year 2001.
const leastMs = 1e12

// take takes a request. Requests of one second are handed out together; those that
// were logged late go with the second at hand.
func (s *second) take(t *Text, line string, yield func(Sample, error) bool) error {
	fields := strings.Split(line, ",")
	var numbers [leastFields]int64
	for i := range numbers {
		if i >= len(fields) {
			return t.Errorf("%q is no line of fio's log of latencies: time, latency and direction are needed", line)
		}
		n, err := strconv.ParseInt(strings.TrimSpace(fields[i]), 10, 64)
		if err != nil || n < 0 {
			return t.Errorf("%q is no number of fio's log of latencies", strings.TrimSpace(fields[i]))
		}
		numbers[i] = n
	}
	if numbers[atField] < leastMs {
		return t.Errorf("the time %d counts from the begin of the run: have fio log the clock's, with --log_unix_epoch=1", numbers[atField])
	}
	if at := numbers[atField] / 1000; at > s.at {
		if s.at > 0 && !s.end(t, yield) {
			return errStop
		}
		s.at = at
	}
	if op := numbers[opField]; op < int64(len(s.bins)) {
		if s.bins[op] == nil {
			s.bins[op] = map[int]float64{}
		}
		s.bins[op][blklat.Bucket(uint64(numbers[tookField]))]++
	}
	return nil
}

// end hands out a second.
func (s *second) end(t *Text, yield func(Sample, error) bool) bool {
	name := t.Stem()
	name = strings.TrimSuffix(strings.TrimSuffix(name, "_clat"), "_lat")
	for op, counts := range s.bins {
		if len(counts) == 0 {
			continue
		}
		var bins []Bin
		for b := range blklat.Buckets {
			if n := counts[b]; n > 0 {
				low := float64(blklat.LowerNs(b))
				bins = append(bins, Bin{LowNs: low, HighNs: max(float64(blklat.LowerNs(min(b+1, blklat.Buckets-1))), low), Requests: n})
			}
		}
		clear(counts)
		if !yield(Sample{Time: s.at, Component: name, Peers: "drives", Op: blklat.Op(op), Kind: newHistogram, Bins: bins}, nil) {
			return false
		}
	}
	return true
}
