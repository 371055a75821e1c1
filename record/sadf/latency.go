package sadf

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// Latencies of requests, in lines as sadf's. Times are in ms, those of devices
// ahead of those of queues; a percentile is the upper bound of its bucket, which
// is 6 % at most above the truth.
//
//	# hostname;timestamp;device;op;requests;bytes;errors;requeues;most-in-flight;device-mean-ms;device-p50-ms;device-p99-ms;device-p99.9-ms;queue-mean-ms;queue-p50-ms;queue-p99-ms;queue-p99.9-ms
//	fs1;2026-03-01 12:00:01 UTC;sda;read;104;425984;0;0;3;6.120;5.767;12.583;48.234;0.012;0.001;0.034;0.041
const latencyHead = "# hostname;timestamp;device;op;requests;bytes;errors;requeues;most-in-flight;" +
	"device-mean-ms;device-p50-ms;device-p99-ms;device-p99.9-ms;queue-mean-ms;queue-p50-ms;queue-p99-ms;queue-p99.9-ms"

const nsInMs = 1e6

// Latency prints what devices did in each sample.
func Latency(w io.Writer, src Source) error {
	recorded := func(a sysstat.Activity) bool { return a.ID == blklat.ID }
	if !slices.ContainsFunc(src.Header().Activities, recorded) {
		return fmt.Errorf("%s: the file holds no latencies: run limpet record with CAP_BPF and CAP_PERFMON, and without --no-latency", src.Header().File)
	}
	fmt.Fprintln(w, latencyHead)
	var s blklat.Sample
	for {
		rec, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = requests(w, rec, src.Inventory(), &s)
		}
		if err != nil {
			return err
		}
	}
}

// requests prints the requests of a record. A sample that stands at the end
// of one file and at the beginning of the next is printed once.
func requests(w io.Writer, rec *sysstat.Record, known *sysstat.Inventory, s *blklat.Sample) error {
	raw, _, _ := rec.Items(blklat.ID)
	if len(raw) == 0 {
		return nil
	}
	run, sequence := s.Run, s.Sequence
	if err := blklat.Decode(raw, s); err != nil {
		return fmt.Errorf("%s: offset %d: %w", rec.Header().File, rec.Offset, err)
	}
	if s.Run == run && s.Sequence == sequence {
		return nil
	}
	var lines strings.Builder
	for i := range s.Items {
		item := &s.Items[i]
		name := devname.Of(item.Major, item.Minor)
		if d, ok := known.Device(item.Major, item.Minor); ok && d.Name != "" {
			name = d.Name
		}
		fmt.Fprintf(&lines, "%s;%s;%s;%s;%d;%d;%d;%d;%d;%s;%s\n", rec.Header().Hostname, timeOf(rec), cell(name), item.Op,
			item.Device.Requests(), item.Bytes, item.Errors, item.Requeues, item.MostInFlight, times(item.Device), times(item.Queue))
	}
	_, err := io.WriteString(w, lines.String())
	return err
}

// times are the mean and percentiles of a histogram, empty cells where it has
// no requests.
func times(h blklat.Histogram) string {
	if len(h) == 0 {
		return ";;;"
	}
	return fmt.Sprintf("%.3f;%.3f;%.3f;%.3f", h.MeanNs()/nsInMs, h.QuantileNs(0.5)/nsInMs, h.QuantileNs(0.99)/nsInMs, h.QuantileNs(0.999)/nsInMs)
}
