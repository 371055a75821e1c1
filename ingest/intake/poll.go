package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/store"
)

// A sink stores the samples that a poller has read. Several goroutines may call it at the same
// time.
type sink interface {
	// Take stores samples of a server. The parameter `sender` is the name of the store from which
	// the samples were read.
	Take(sender string, b *exporter.Batch) (exporter.Counts, error)
	// Last returns the time of the last stored sample of a server. It returns the zero time if no
	// sample is stored.
	Last(server string) (time.Time, error)
}

// status is the state of a store.
type status struct {
	Name, Kind string
	Up         bool // true if the last poll succeeded
	Heard      time.Time
	Failed     uint64
	Counts     exporter.Counts
	Trouble    string
}

// A poller polls stores of metrics for new samples, and passes the samples to a sink in the same
// form as pushed samples. It has these rules:
//
//   - Let T be the time up to which all series of a server have samples. Each poll reads the server
//     from T on. So samples that come into the store an hour late are still read. If a store was
//     unreachable, reading later continues at T.
//   - Each sample is passed on once.
//   - A series counts as ended if its last sample is much older than the newest sample of its
//     server (Store.Late). The ages come from the samples, and not from the clock. So a failure of the
//     store does not end a series.
type poller struct {
	sink   sink
	now    func() time.Time
	stores []*storePoll
}

func newPoll(stores []Store, sink sink, now func() time.Time) (*poller, error) {
	if err := Validate(stores); err != nil {
		return nil, err
	}
	p := &poller{sink: sink, now: now}
	for _, s := range stores {
		p.stores = append(p.stores, &storePoll{Store: s, poller: p, servers: map[string]*server{}, status: status{Name: s.Name}, lastProgress: now()})
	}
	return p, nil
}

// Run polls all stores until ctx is done.
func (p *poller) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, s := range p.stores {
		all.Go(func() {
			every := time.NewTicker(s.Interval)
			defer every.Stop()
			for {
				s.poll(ctx)
				select {
				case <-ctx.Done():
					return
				case <-every.C:
				}
			}
		})
	}
}

// Poll polls every store once.
func (p *poller) Poll(ctx context.Context) {
	for _, s := range p.stores {
		s.poll(ctx)
	}
}

// Status returns the state of every store.
func (p *poller) Status() (list []status) {
	for _, s := range p.stores {
		s.mu.Lock()
		list = append(list, s.status)
		s.mu.Unlock()
	}
	return list
}

// storePoll polls one store.
type storePoll struct {
	Store
	poller *poller
	store  *store.Store // connection to the store; nil until the store has answered

	// mu guards the fields below. It also guards the fields of each server in `servers` that
	// ClosableUntil reads. The other fields of a server are used only by the goroutine that polls.
	mu           sync.Mutex
	status       status
	servers      map[string]*server
	listed       time.Time // time of the last search for servers
	lastProgress time.Time // time of the last successful read, or of the start
	unreachable  bool      // true if the last poll could not read any samples
}

// A server records how far one server was read.
type server struct {
	host         string
	instances    []string
	passedOn     int64 // all samples up to this time were passed to the sink, ms
	storedUntil  int64 // all samples up to this time were in files when limpet started, ms
	progress     map[string]seriesProgress
	quiet        int       // number of consecutive polls without new samples
	next         time.Time // time before which the server is not polled
	askedUntil   int64     // end of the last successful query, even if it found no samples, ms
	failingSince time.Time // time of the first failed read after the last successful read; zero if the last read succeeded
	lastFailure  time.Time // time of the last failed read
}

// seriesProgress records how far one series was read.
type seriesProgress struct {
	last    int64 // time of the last sample that was passed to the sink, ms
	reached int64 // time of the last sample in the store, ms
	ended   bool  // true if the last sample is a staleness marker
}

// listEvery is the time between two searches for servers. A search covers the time since the last
// search, and the hour (listReach) before the last search.
const (
	listEvery = time.Minute
	listReach = time.Hour
)

// spanMs is the longest span of time, in ms, that one query to the store covers. If the answer has
// more than spanSamples samples, the query is repeated with half of the span, but at least
// leastSpanMs.
const (
	spanMs      = 3600_000
	leastSpanMs = 60_000
	spanSamples = 2 << 20
)

// poll reads all new samples of the store once.
func (s *storePoll) poll(ctx context.Context) {
	now := s.poller.now()
	err := s.connect(ctx, now)
	if err != nil {
		s.locked(func() { s.unreachable = true })
	} else {
		err = s.readAll(ctx, now)
	}
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.Up = err == nil; s.status.Up {
		s.status.Heard, s.status.Trouble = now, ""
		return
	}
	s.status.Failed++
	s.status.Trouble = fmt.Sprintf("the store %s could not be read; limpet tries again: %v", s.Name, err)
}

// mostFailures is the number of consecutive failed reads of servers after which a poll of a store
// ends.
const mostFailures = 3

// readAll reads the new samples of all servers. A row needs the samples of all servers. So if
// several hours must be read, readAll reads one span (spanMs) of each server, then the next span of
// each server. If the read of a server fails, the next poll reads this server after all other
// servers.
func (s *storePoll) readAll(ctx context.Context, now time.Time) (failed error) {
	left := s.dueServers(now)
	goodFirst(left)
	failures, answers := 0, false
	for len(left) > 0 {
		first := slices.MinFunc(left, func(a, b *serverRead) int { return cmp.Compare(a.start, b.start) }).start
		for _, r := range left {
			if r.start >= first+spanMs {
				continue
			}
			err := s.read(ctx, r)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				failures, answers = 0, true
				continue
			}
			s.recordFailure(r.sv, s.poller.now())
			failed, r.end = fmt.Errorf("%s: %w", r.sv.host, err), r.start
			if failures++; failures == mostFailures {
				break
			}
		}
		if failures == mostFailures {
			break
		}
		left = slices.DeleteFunc(left, func(r *serverRead) bool { return r.start >= r.end })
	}
	s.locked(func() { s.unreachable = failed != nil && !answers })
	return failed
}

func (s *storePoll) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// connect connects to the store. It also searches for servers if the last search was at least
// listEvery ago.
func (s *storePoll) connect(ctx context.Context, now time.Time) (err error) {
	if s.store == nil {
		if s.store, err = store.Open(ctx, s.Connect); err != nil {
			return err
		}
		s.mu.Lock()
		s.status.Kind = s.store.Kind
		s.mu.Unlock()
	}
	if age := now.Sub(s.listed); age >= 0 && age < listEvery { // a clock that was set back makes age negative
		return nil
	}
	since := now.Add(-s.Reach)
	if !s.listed.IsZero() {
		since = notInFuture(s.listed, now).Add(-listReach)
	}
	hosts, _, err := store.Servers(ctx, s.store, since.UnixMilli(), now.UnixMilli())
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for host, instances := range hosts {
		if s.servers[host] == nil {
			sv, err := s.newServer(host, now)
			if err != nil {
				return err
			}
			s.servers[host] = sv
		}
		s.servers[host].instances = instances
	}
	s.listed = now
	return nil
}

// newServer returns a new server, and sets the time at which reading starts. This is the time of the
// server's last sample in files, minus the duration Store.Late. The samples of these last minutes
// show which series the server has. If the files have no sample, reading starts at the present
// time, minus the duration Store.Since.
func (s *storePoll) newServer(host string, now time.Time) (*server, error) {
	sv := &server{host: host, progress: map[string]seriesProgress{}, passedOn: now.Add(-s.Since).UnixMilli()}
	if sv.askedUntil = sv.readFrom(s.Reach, now); exporter.CheckName(host) != nil {
		return sv, nil
	}
	kept, err := s.poller.sink.Last(host)
	if err != nil {
		return nil, err
	}
	if !kept.IsZero() {
		sv.storedUntil = kept.UnixMilli()
		sv.passedOn = sv.storedUntil - s.Late.Milliseconds()
	}
	sv.askedUntil = sv.readFrom(s.Reach, now)
	return sv, nil
}

// If more than quietPolls consecutive polls of a server bring no new samples, the pauses between the
// polls of the server grow, up to longestPause.
const (
	quietPolls   = 10
	longestPause = 5 * time.Minute
)

// A serverRead is the state of one poll of a server.
type serverRead struct {
	sv                   *server
	start, end           int64 // start is the start of the next span (the time that one query covers), and end is the end of the last span, both in ms
	span, passedOnBefore int64 // span is the length of a span, and passedOnBefore is the value of passedOn at the start of the poll, both in ms
	now                  time.Time
}

// readFrom returns the time, in ms, from which a server is read. This time is at most `reach`
// before the present time.
func (sv *server) readFrom(reach time.Duration, now time.Time) int64 {
	return max(sv.passedOn+1, now.Add(-reach).UnixMilli())
}

// dueServers returns the servers to read now, sorted by name.
func (s *storePoll) dueServers(now time.Time) (list []*serverRead) {
	for _, host := range slices.Sorted(maps.Keys(s.servers)) {
		sv := s.servers[host]
		r := &serverRead{sv: sv, start: sv.readFrom(s.Reach, now), end: now.UnixMilli() + 1, span: spanMs, passedOnBefore: sv.passedOn, now: now}
		switch {
		case now.Before(sv.next):
		case r.start >= r.end: // nothing to read, because the clock was set back
			s.finishPoll(r)
		default:
			list = append(list, r)
		}
	}
	return list
}

// read reads the samples of a server in the next span, the time that one query covers. If the
// answer is too large, read halves the length of the span for the next call.
func (s *storePoll) read(ctx context.Context, r *serverRead) error {
	to := min(r.start+r.span, r.end)
	err := s.readSpan(ctx, r.sv, r.start, to)
	if errors.Is(err, store.ErrTooMuch) && r.span > leastSpanMs {
		r.span = max(r.span/2, leastSpanMs)
		return nil
	}
	if err != nil {
		return err
	}
	if to < r.end && r.sv.passedOn >= r.start { // the next span begins after the last sample that was passed to the sink, so later samples are read again
		to = min(to, r.sv.passedOn+1)
	}
	r.start = to
	s.locked(func() { r.sv.askedUntil = to })
	if r.start >= r.end {
		s.finishPoll(r)
	}
	return nil
}

// finishPoll finishes the poll of a server. It counts the polls without new
// samples, and sets the time of the next poll.
func (s *storePoll) finishPoll(r *serverRead) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sv := r.sv
	if sv.quiet++; sv.passedOn != r.passedOnBefore {
		sv.quiet = 0
	}
	if sv.quiet > quietPolls {
		sv.next = r.now.Add(min(longestPause, time.Duration(sv.quiet-quietPolls)*s.Interval))
	}
}

// readSpan reads the samples of a server in a span of time. It passes to the sink only the samples
// up to the frontier: the time up to which all series of the server have samples.
func (s *storePoll) readSpan(ctx context.Context, sv *server, from, to int64) error {
	a := &answer{}
	ask := store.Request{Matches: []store.Match{store.Names(), store.Instances(s.Connect.ServerLabel, sv.instances)}, From: from, To: to}
	warnings, err := s.store.Read(ctx, ask, a.begin, a.take)
	if err != nil {
		return err
	}
	if len(warnings) > 0 { // the answer is incomplete, so the span is read again later
		return fmt.Errorf("the answer of the store is incomplete: %s", warnings[0])
	}
	s.locked(func() { s.recordAnswer(sv, s.poller.now()) })
	if len(a.parts) == 0 {
		return nil
	}
	progress := a.addProgress(sv.progress)
	frontier := frontier(progress, s.Late.Milliseconds())
	counts, err := s.poller.sink.Take(s.Name, a.samplesUntil(frontier, progress, sv.storedUntil, s.Connect.ServerLabel))
	if err != nil {
		return err
	}
	sv.progress, sv.passedOn = progress, max(sv.passedOn, frontier)
	s.locked(func() { s.status.Counts.Add(counts) })
	return nil
}
