package tool

import (
	"iter"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/blklat"
)

// fioHistograms reads the latency logs of fio. A log has one line for each request:
//
//	fio --name=sda --filename=/dev/sda … --write_lat_log=sda --log_unix_epoch=1
//
//	1794784343001, 212992, 0, 4096, 0, 0
//	1794784343004, 198144, 1, 4096, 0, 0
//
// A line describes one request: the time of its completion in ms, the latency in ns, the operation
// (0 read, 1 write, 2 trim), and the size in bytes. Without --log_unix_epoch=1, times count from the
// start of the run. Such times cannot be compared with the times of other drives, so fioHistograms
// reports an error that names this option. The name of the file contains the name of the drive, as
// in sda_clat.1.log. A run writes three logs. Only the log of completion latencies (clat) is used,
// because these latencies do not include the work of fio itself.
var fioHistograms = HistogramFormat{
	Name:    "fio",
	Title:   "latencies of single requests, from a latency log of fio (--write_lat_log, --log_unix_epoch=1)",
	Command: "fio --write_lat_log=sda --log_unix_epoch=1",
	Read:    readFio,
}

// fioSecond collects the requests of one second.
type fioSecond struct {
	time int64              // Unix seconds
	bins [2]map[int]float64 // number of requests by operation and by latency bucket
}

func readFio(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		if strings.Contains(t.File, "_slat.") || strings.Contains(t.File, "_lat.") {
			return // skip these logs, because they have the same requests as the log of completion latencies (clat)
		}
		var now fioSecond
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

func (stop) Error() string { return "the reader of the samples has stopped" }

var errStop error = stop{}

// Indexes of the fields of a line. A line has at least leastFields fields.
const (
	atField = iota
	tookField
	opField
	leastFields
)

// fioLeastMs is the earliest plausible time of a request, in ms since 1970: it is in the year 2001.
// A smaller number is a time since the start of the run.
const fioLeastMs = 1e12

// take reads a request. If the request begins a new second, take first yields the samples of the
// previous second. A request that was logged late counts in the current second.
func (s *fioSecond) take(t *Text, line string, yield func(Sample, error) bool) error {
	fields := strings.Split(line, ",")
	var numbers [leastFields]int64
	for i := range numbers {
		if i >= len(fields) {
			return t.Errorf("%q is not a line of a latency log of fio: a line needs time, latency and direction", line)
		}
		n, err := strconv.ParseInt(strings.TrimSpace(fields[i]), 10, 64)
		if err != nil || n < 0 {
			return t.Errorf("%q is not a number in a latency log of fio", strings.TrimSpace(fields[i]))
		}
		numbers[i] = n
	}
	if numbers[atField] < fioLeastMs {
		return t.Errorf("the time %d ms is counted from the start of fio, but limpet needs the time of day: run fio with --log_unix_epoch=1", numbers[atField])
	}
	if at := numbers[atField] / 1000; at > s.time {
		if s.time > 0 && !s.end(t, yield) {
			return errStop
		}
		s.time = at
	}
	if op := numbers[opField]; op < int64(len(s.bins)) {
		if s.bins[op] == nil {
			s.bins[op] = map[int]float64{}
		}
		s.bins[op][blklat.Bucket(uint64(numbers[tookField]))]++
	}
	return nil
}

// end yields the samples of the current second, one for each operation. It returns false if no more
// samples are wanted.
func (s *fioSecond) end(t *Text, yield func(Sample, error) bool) bool {
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
		if !yield(Sample{Time: s.time, Component: name, Peers: "drives", Op: blklat.Op(op), Kind: sinceLastSample, Bins: bins}, nil) {
			return false
		}
	}
	return true
}
