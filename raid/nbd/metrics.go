package nbd

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"time"
)

// Upper bounds of the latency bins: from 100 µs, for an SSD, to 26 s, when clients give up. Each
// bound is twice the bound before.
const (
	firstBound = 100 * time.Microsecond
	numBounds  = 19
)

// latencies is a histogram of the latencies of one kind of request.
type latencies struct {
	bins [numBounds + 1]atomic.Uint64 // the last bin is for latencies above all bounds
	sum  atomic.Int64                 // nanoseconds
}

func (l *latencies) add(took time.Duration) {
	bin := 0
	for bound := firstBound; bin < numBounds && took > bound; bound *= 2 {
		bin++
	}
	l.bins[bin].Add(1)
	l.sum.Add(int64(took))
}

// write writes the lines of one operation. The bins of the Prometheus format are cumulative.
func (l *latencies) write(w io.Writer, name, op string) {
	total, bound := uint64(0), firstBound
	for i := range l.bins {
		total += l.bins[i].Load()
		le := "+Inf"
		if i < numBounds {
			le = strconv.FormatFloat(float64(bound)/float64(time.Second), 'g', -1, 64)
			bound *= 2
		}
		fmt.Fprintf(w, "%s_bucket{op=%q,le=%q} %d\n", name, op, le, total)
	}
	fmt.Fprintf(w, "%s_sum{op=%q} %s\n", name, op, strconv.FormatFloat(time.Duration(l.sum.Load()).Seconds(), 'f', -1, 64))
	fmt.Fprintf(w, "%s_count{op=%q} %d\n", name, op, total)
}

// WriteMetrics writes counts and latencies of the clients' requests, in the text format of
// Prometheus.
func (s *Server) WriteMetrics(w io.Writer) error {
	out := bufio.NewWriter(w)
	c := s.Counters()
	head := func(name, kind, help string) string {
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
		return name
	}
	fmt.Fprintf(out, "%s %d\n", head("limpet_nbd_connections", "gauge", "Clients connected."), c.Connections)
	fmt.Fprintf(out, "%s %d\n", head("limpet_nbd_refused_connections_total", "counter", "Clients that were refused because too many clients were connected."), c.Refused)
	fmt.Fprintf(out, "%s %d\n", head("limpet_nbd_failed_requests_total", "counter", "Requests that were refused or that failed on the device."), c.Failed)
	name := head("limpet_nbd_bytes_total", "counter", "Bytes read and written.")
	fmt.Fprintf(out, "%s{op=\"read\"} %d\n%s{op=\"write\"} %d\n", name, c.BytesRead, name, c.BytesWrote)
	name = head("limpet_nbd_request_seconds", "histogram", "How long the device took for a request.")
	for i, op := range operations {
		s.counts.took[i].write(out, name, op)
	}
	return out.Flush()
}

// operations are the kinds of requests, in the order of their histograms.
var operations = [...]string{"read", "write", "flush", "trim", "zero", "status"}

func (r request) operation() int {
	switch r.command {
	case cmdRead:
		return 0
	case cmdWrite:
		return 1
	case cmdTrim:
		return 3
	case cmdWriteZeroes:
		return 4
	case cmdBlockStatus:
		return 5
	}
	return 2
}
