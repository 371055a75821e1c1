package sadf

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// Waits prints what the machine waited for at each sample, and now and then a line for each file
// system and each drive that measures its temperature. Times of pressure and of the run queue are sums since
// the machine was started.
//
//	# hostname;timestamp;late-ms;cpu-some-ms;cpu-full-ms;io-some-ms;io-full-ms;memory-some-ms;memory-full-ms;run-delay-ms;blocked;stopped;waits;sockets;unread;waiting;stuck;oldest-ms;read;unsent;closed;closed-there;in-flight
//	fs1;2026-03-01 12:00:01 UTC;0.1;17;0;2582893;765535;0;0;0;3;12;io_schedule=3;12;65536;4;3;1800;0;7;2;1;8:16=32
//	# hostname;timestamp;file system;device;bytes;free;files;free
//	# hostname;timestamp;drive;celsius;limit;alarm
func Waits(w io.Writer, src Source) error {
	recorded := func(a sysstat.Activity) bool { return a.ID == hoststat.ID }
	if !slices.ContainsFunc(src.Header().Activities, recorded) {
		return fmt.Errorf("%s: the file holds no wait times: record with this version of limpet record, and without --no-waits", src.Header().File)
	}
	fmt.Fprintln(w, "# hostname;timestamp;late-ms;cpu-some-ms;cpu-full-ms;io-some-ms;io-full-ms;memory-some-ms;memory-full-ms;run-delay-ms;blocked;stopped;waits;sockets;unread;waiting;stuck;oldest-ms;read;unsent;closed;closed-there;in-flight")
	fmt.Fprintln(w, "# hostname;timestamp;file system;device;bytes;free;files;free")
	fmt.Fprintln(w, "# hostname;timestamp;drive;celsius;limit;alarm")
	var s hoststat.Sample
	for {
		rec, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		raw, _, _ := rec.Items(hoststat.ID)
		if rec.Type != sysstat.Stats {
			continue
		}
		if err := hoststat.Decode(raw, &s); err != nil {
			return fmt.Errorf("%s: offset %d: %w", rec.Header().File, rec.Offset, err)
		}
		if _, err := io.WriteString(w, waitsOf(rec, &s)); err != nil {
			return err
		}
	}
}

// waitsOf returns the lines of a sample.
func waitsOf(rec *sysstat.Record, s *hoststat.Sample) string {
	var b strings.Builder
	head := rec.Header().Hostname + ";" + timeOf(rec)
	fmt.Fprintf(&b, "%s;%.1f", head, float64(s.LateMicros)/1e3)
	for _, p := range s.Pressure {
		fmt.Fprintf(&b, ";%d;%d", p.Some/1000, p.Full/1000)
	}
	var waits, flying []string
	for _, x := range s.Tasks.Waits {
		waits = append(waits, fmt.Sprintf("%s=%d", cell(x.Function), x.Tasks))
	}
	for _, x := range s.InFlight {
		flying = append(flying, fmt.Sprintf("%d:%d=%d", x.Major, x.Minor, x.Requests))
	}
	q := &s.Accepted
	fmt.Fprintf(&b, ";%d;%d;%d;%s;%d;%d;%d;%d;%d;%d;%d;%d;%d;%s\n", s.RunDelayNs/1e6, s.Tasks.Blocked, s.Tasks.Stopped, strings.Join(waits, ","),
		q.Sockets, q.Unread, q.Waiting, q.Stuck, q.OldestMs, q.Read, q.Unsent, q.Closed, q.ClosedThere, strings.Join(flying, ","))
	for _, f := range s.FileSystems {
		fmt.Fprintf(&b, "%s;%s;%d:%d;%d;%d;%d;%d\n", head, cell(f.Mount), f.Major, f.Minor, f.Bytes, f.FreeBytes, f.Files, f.FreeFiles)
	}
	for _, d := range s.Drives {
		fmt.Fprintf(&b, "%s;%d:%d;%.1f;%.1f;%v\n", head, d.Major, d.Minor, float64(d.MilliCelsius)/1e3, float64(d.Limit)/1e3, d.Alarm)
	}
	return b.String()
}
