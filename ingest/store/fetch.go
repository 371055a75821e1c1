package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// leadSeconds is the length of the time before the period that is also read, in seconds. The first
// difference of counters in the period needs an earlier scrape.
const leadSeconds = 300

// Activity reads the series of node_exporter and limpet-record from a store into activity files,
// one file for each server and UTC day. Package intake writes files of the same form from samples
// that are pushed or scraped.
//
// The samples of a server are read in parts, one span of time after the other. The store and the
// available memory limit the length of a span. If an earlier call was interrupted, reading
// continues after the last sample in the files. If a server cannot be read, Activity adds a
// warning, and reads the other servers.
func Activity(ctx context.Context, s *Store, o FetchOptions) (Result, error) {
	if err := o.Validate(); err != nil {
		return Result{}, err
	}
	f := &fetcher{store: s, o: o, from: o.From.Add(-leadSeconds * time.Second).UnixMilli(), to: o.To.UnixMilli()}
	f.result.Kind = s.Kind
	servers, err := f.servers(ctx)
	if err != nil {
		return f.result, err
	}
	if err := f.open(ctx, len(servers)); err != nil {
		return f.result, err
	}
	err = f.readServers(ctx, servers, f.readServer)
	err = errors.Join(err, f.files.Close())
	f.result.Servers, f.result.Records, f.result.Bytes = len(servers), f.files.records, bytesOf(o.Dir)
	return f.result, err
}

// A server is one host, and the values of the server label that belong to this host. A
// host can have several values, because node_exporter and limpet-record have different
// ports.
type server struct {
	host      string
	instances []string
}

// A fetcher reads the samples of all servers from a store.
type fetcher struct {
	store    *Store
	o        FetchOptions
	from, to int64 // in ms since 1970

	mu        sync.Mutex
	assembler *exporter.Assembler
	files     *fetchFiles
	result    Result
	readMs    int64 // span of time that was read, summed over all servers, in ms
	total     int64 // span of time to read, summed over all servers, in ms
	failed    int   // number of servers that could not be read to the end
}

// diagnosableSeries returns a condition that matches three series. Two series are from node_exporter:
// one of disks and one of networks. The third series is from the manager of Ceph. limpet can diagnose
// a server only if the server has at least one of these series.
func diagnosableSeries() Match {
	return Match{Name: "__name__", Value: "node_disk_io_time_seconds_total|node_network_receive_bytes_total|ceph_bluestore_read_lat_count", Regexp: true}
}

// Servers returns the hosts in the store, and for each host the values of the server label that
// belong to the host.
func Servers(ctx context.Context, s *Store, from, to int64) (hosts map[string][]string, warnings []string, err error) {
	hosts = map[string][]string{}
	warnings, err = s.List(ctx, Request{Matches: []Match{diagnosableSeries()}, From: from, To: to}, func(labels map[string]string) {
		value := labels[s.Options.ServerLabel]
		if host := exporter.HostOf(value); value != "" && !slices.Contains(hosts[host], value) {
			hosts[host] = append(hosts[host], value)
		}
	})
	for _, list := range hosts {
		slices.Sort(list)
	}
	return hosts, warnings, err
}

// servers returns the servers in the store that the user has chosen, sorted by name.
func (f *fetcher) servers(ctx context.Context) (list []server, err error) {
	hosts, warnings, err := Servers(ctx, f.store, f.from, f.to)
	if err != nil {
		return nil, err
	}
	f.warn(warnings...)
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		if f.o.Choose == nil || f.o.Choose(host) {
			list = append(list, server{host, hosts[host]})
		}
	}
	switch {
	case len(hosts) == 0:
		return nil, fmt.Errorf("the store has no series of node_exporter from %s to %s (node_disk_io_time_seconds_total with a label %q): check the time and the settings \"server_label\" and \"match\", or describe the series of the store with --series",
			clock(f.from), clock(f.to), f.store.Options.ServerLabel)
	case len(list) == 0:
		return nil, fmt.Errorf("the store has data of %d servers, but no data of the servers that you chose: check the names of the servers", len(hosts))
	}
	return list, nil
}

func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05Z") }

// open opens the directory for the activity files and creates the assembler, which makes readings
// (the content of records) from samples. The limits of the assembler are high, because one answer
// of the store has many samples.
func (f *fetcher) open(ctx context.Context, servers int) error {
	sp, err := exporter.Open(f.o.Dir, exporter.DefaultSpoolOptions())
	if err != nil {
		return err
	}
	f.files = &fetchFiles{Spool: sp, lastReadings: map[string]time.Time{}}
	if err := claim(ctx, f.o.Dir, f.store.Options.Post.URL, f.from); err != nil {
		return errors.Join(err, sp.Close())
	}
	o := exporter.DefaultOptions()
	o.ServerLabel, o.ByNodename = f.store.Options.ServerLabel, f.store.Options.ByNodename
	o.MaxServers, o.MaxPending, o.MaxSubjects, o.MaxCells = max(servers, o.MaxServers), 1<<20, 1<<17, 1<<24
	f.assembler, err = exporter.New(o)
	return err
}

// readServers reads all servers. It reads o.Workers servers at the same time.
func (f *fetcher) readServers(ctx context.Context, servers []server, read func(context.Context, server, *span) error) error {
	f.total = int64(len(servers)) * (f.to - f.from)
	work := make(chan server)
	errs := make(chan error, f.o.Workers)
	var workers sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range f.o.Workers {
		workers.Go(func() {
			s := &span{maxSamples: f.o.MaxSamples}
			for sv := range work {
				if err := read(ctx, sv, s); err != nil {
					errs <- err
					stop()
					return
				}
			}
		})
	}
	for _, sv := range servers {
		select {
		case work <- sv:
		case <-ctx.Done():
		}
	}
	close(work)
	workers.Wait()
	close(errs)
	return f.outcome(ctx, errs, len(servers))
}

// outcome returns the error of the whole fetch. The fetch has failed if the disk failed, if the
// context has ended, or if no server could be read.
func (f *fetcher) outcome(ctx context.Context, errs <-chan error, servers int) error {
	for err := range errs {
		return err
	}
	slices.Sort(f.result.Warnings)
	if f.failed == servers && f.result.Samples == 0 {
		return fmt.Errorf("no data could be read from the store: %s", strings.Join(f.result.Warnings, "; "))
	}
	return ctx.Err()
}

// readServer reads one server, until the end of the period or until the store fails.
func (f *fetcher) readServer(ctx context.Context, sv server, s *span) error {
	at, err := f.serverStart(sv)
	if err != nil {
		return err
	}
	err = f.readSpans(ctx, sv, s, at, func(from, to int64) Request { return f.requestFor(sv, from, to) }, func(_, _ int64) error {
		return s.forEachBatch(f.store.Options.ServerLabel, func(b *exporter.Batch, end time.Time) error {
			f.assembler.Take(b, exporter.Sender{Name: f.store.Options.Post.URL}, end)
			return f.assembler.Flush(f.files, end, false)
		})
	})
	f.addWarnings(sv)
	return err
}

// readSpans reads a server in one span of time after another. The first span begins at the time
// `at`, in ms since 1970. After each span, readSpans calls keep(from, to), which writes the samples
// of the span to files. If an answer is too large, the span is read again in halves. If an answer
// has less than a quarter of MaxSamples samples, the next span is twice as long.
func (f *fetcher) readSpans(ctx context.Context, sv server, s *span, at int64, ask func(from, to int64) Request, keep func(from, to int64) error) error {
	f.progress(at - f.from)
	spanMs := f.o.SpanSeconds * 1000
	for at < f.to {
		end := min(at+spanMs, f.to)
		warnings, err := f.store.Read(ctx, ask(at, end), s.begin, s.take)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrTooMuch) && spanMs > leastSpanSeconds*1000:
			spanMs = max(spanMs/2, leastSpanSeconds*1000)
			continue
		case err != nil:
			f.noteFailure(sv, at, err)
			return nil
		}
		if err := f.addSpan(sv, s, warnings, at, end, keep); err != nil {
			return err
		}
		at = end
		if len(s.samples) < f.o.MaxSamples/4 {
			spanMs = min(2*spanMs, f.o.MaxSpanSeconds*1000)
		}
	}
	return nil
}

// serverStart returns the time from which a server is read, in ms since 1970. If the activity files
// have records of the server, this is the time after the last record. Otherwise it is the start of
// the period.
func (f *fetcher) serverStart(sv server) (int64, error) {
	if f.store.Options.ByNodename || exporter.CheckName(sv.host) != nil {
		return f.from, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m, err := f.files.Spool.Recall(sv.host)
	if err != nil || m.Time.IsZero() {
		return f.from, err
	}
	return min(max(f.from, m.Time.UnixMilli()+1), f.to), nil
}

// requestFor returns the request for the samples of one server. The request matches all series that
// limpet uses.
func (f *fetcher) requestFor(sv server, from, to int64) Request {
	return Request{Matches: []Match{Names(), Instances(f.store.Options.ServerLabel, sv.instances)}, From: from, To: to}
}

// Names returns the condition that matches all series that limpet uses.
func Names() Match {
	return Match{Name: "__name__", Value: strings.Join(exporter.Names(), "|"), Regexp: true}
}

// Instances returns a condition that matches the series in which the given label has one of the
// given values.
func Instances(label string, values []string) Match {
	if len(values) == 1 {
		return Match{Name: label, Value: values[0]}
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = regexp.QuoteMeta(v)
	}
	return Match{Name: label, Value: strings.Join(quoted, "|"), Regexp: true}
}

// addSpan adds the warnings and the number of samples of a span of time to the result. It calls
// keep(from, to), which writes the samples to files.
func (f *fetcher) addSpan(sv server, s *span, warnings []string, from, to int64, keep func(from, to int64) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range warnings {
		f.result.Partial = true
		f.warn(fmt.Sprintf("server %s, %s to %s: the store reports that its answer is incomplete: %s", sv.host, clock(from), clock(to), w))
	}
	f.result.Samples += int64(len(s.samples))
	err := keep(from, to)
	f.advance(to - from)
	return err
}

// noteFailure records that reading a server failed. The caller passes the time from which the
// samples of the server are missing, in ms since 1970.
func (f *fetcher) noteFailure(sv server, at int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed++
	f.result.Partial = true
	f.warn(fmt.Sprintf("the data of server %s could not be read from the store, so its data since %s are missing: %v", sv.host, clock(at), err))
	f.advance(f.to - at)
}

// addWarnings adds the problems that the assembler has found in the data of a server to the
// warnings.
func (f *fetcher) addWarnings(sv server) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, trouble := f.assembler.Status(time.UnixMilli(f.to))
	for _, m := range list {
		if m.Server == sv.host && m.Trouble != "" {
			f.warn(m.Trouble)
		}
	}
	if trouble != "" {
		f.warn(trouble)
	}
}

func (f *fetcher) warn(list ...string) {
	for _, text := range list {
		if !slices.Contains(f.result.Warnings, text) {
			f.result.Warnings = append(f.result.Warnings, text)
		}
	}
}

func (f *fetcher) progress(ms int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.advance(ms)
}

func (f *fetcher) advance(ms int64) {
	f.readMs += ms
	if f.o.Progress != nil {
		f.o.Progress(f.readMs/1000, f.total/1000)
	}
}
