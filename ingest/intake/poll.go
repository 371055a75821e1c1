// This file asks stores of metrics for what is new, again and again, and hands it on
// as if it had been pushed.
//
// What comes late is not lost. Each server is read from where all of its series had come
// to, and of each series every sample is handed on once. So a server whose samples come an
// hour late is read when they come, a store that was away is read from where it was left,
// and a scrape of which some series are late waits for them. All of that goes by the times
// of samples: while the store says nothing, nothing is given up.

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

// A sink takes what was read. It is called by several goroutines at a time.
type sink interface {
	// Take takes samples that a store told of a server.
	Take(sender string, b *exporter.Batch) (exporter.Counts, error)
	// Last is the time of the last sample that is kept of a server; zero: there is
	// none.
	Last(server string) (time.Time, error)
}

// status is what is known of a store.
type status struct {
	Name, Kind string
	Up         bool // it answered when it was last asked
	Heard      time.Time
	Failed     uint64
	Counts     exporter.Counts
	Trouble    string
}

// A poller asks stores.
type poller struct {
	sink   sink
	now    func() time.Time
	stores []*polled
}

// newPoll makes a poller.
func newPoll(stores []Store, sink sink, now func() time.Time) (*poller, error) {
	if err := Validate(stores); err != nil {
		return nil, err
	}
	p := &poller{sink: sink, now: now}
	for _, s := range stores {
		p.stores = append(p.stores, &polled{Store: s, poller: p, servers: map[string]*server{}, status: status{Name: s.Name}, moved: now()})
	}
	return p, nil
}

// Run asks until ctx is done.
func (p *poller) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, s := range p.stores {
		all.Go(func() {
			every := time.NewTicker(s.Interval)
			defer every.Stop()
			for {
				s.ask(ctx)
				select {
				case <-ctx.Done():
					return
				case <-every.C:
				}
			}
		})
	}
}

// Ask asks every store once.
func (p *poller) Ask(ctx context.Context) {
	for _, s := range p.stores {
		s.ask(ctx)
	}
}

// Status tells of every store.
func (p *poller) Status() (list []status) {
	for _, s := range p.stores {
		s.mu.Lock()
		list = append(list, s.status)
		s.mu.Unlock()
	}
	return list
}

// polled is a store that is polled.
type polled struct {
	Store
	poller *poller
	store  *store.Store // nil until it has answered

	mu      sync.Mutex // guards all below; but for what Until asks for, servers belong to whoever asks
	status  status
	servers map[string]*server
	listed  time.Time // when servers were last looked for
	moved   time.Time // when anything was last read, or it all began
	away    bool      // nothing could be read when the store was last asked
}

// A server is how far one has been read.
type server struct {
	host      string
	instances []string
	seen      int64 // all until then was handed on, ms
	floor     int64 // all until then was kept before we began
	tales     map[string]tale
	quiet     int       // questions in a row without an answer
	next      time.Time // when to ask again
	at        int64     // it was asked for up to then, whether or not it told anything, ms
	failing   time.Time // since then it cannot be read; zero: it can
	tried     time.Time // when that was last tried
}

// A tale is how far a series has come.
type tale struct {
	last    int64 // that was handed on, or is kept
	reached int64 // that the store has
	ended   bool  // it is said to have ended
}

// listEvery is how often servers are looked for, and listReach how far ahead of the last
// time.
const (
	listEvery = time.Minute
	listReach = time.Hour
)

// spanMs is asked for at once, of one server. spanSamples bounds the answer.
const (
	spanMs      = 3600_000
	leastSpanMs = 60_000
	spanSamples = 2 << 20
)

// ask asks once for all that is new.
func (s *polled) ask(ctx context.Context) {
	now := s.poller.now()
	err := s.reach(ctx, now)
	if err != nil {
		s.locked(func() { s.away = true })
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
	s.status.Trouble = fmt.Sprintf("the store %s could not be read, and is asked again: %v", s.Name, err)
}

// mostFailures is how many servers in a row cannot be read before the store is given up
// for this time.
const mostFailures = 3

// readAll reads what is new of all servers. Where there is much they go on side by side, a
// span of each in turn: a row is complete when all have come as far. One that cannot be
// read is left for the next time, and comes last then.
func (s *polled) readAll(ctx context.Context, now time.Time) (failed error) {
	left := s.due(now)
	goodFirst(left)
	failures, answers := 0, false
	for len(left) > 0 {
		first := slices.MinFunc(left, func(a, b *reading) int { return cmp.Compare(a.at, b.at) }).at
		for _, r := range left {
			if r.at >= first+spanMs {
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
			s.fails(r.sv, s.poller.now())
			failed, r.end = fmt.Errorf("%s: %w", r.sv.host, err), r.at
			if failures++; failures == mostFailures {
				break
			}
		}
		if failures == mostFailures {
			break
		}
		left = slices.DeleteFunc(left, func(r *reading) bool { return r.at >= r.end })
	}
	s.locked(func() { s.away = failed != nil && !answers })
	return failed
}

func (s *polled) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// reach finds the store, and its servers now and then.
func (s *polled) reach(ctx context.Context, now time.Time) (err error) {
	if s.store == nil {
		if s.store, err = store.Open(ctx, s.Connect); err != nil {
			return err
		}
		s.mu.Lock()
		s.status.Kind = s.store.Kind
		s.mu.Unlock()
	}
	if now.Sub(s.listed) < listEvery {
		return nil
	}
	since := now.Add(-s.Reach)
	if !s.listed.IsZero() {
		since = s.listed.Add(-listReach)
	}
	hosts, _, err := store.Servers(ctx, s.store, since.UnixMilli(), now.UnixMilli())
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for host, instances := range hosts {
		if s.servers[host] == nil {
			sv, err := s.begin(host, now)
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

// begin goes on behind what is kept of a server. What series it has is learnt from the
// last that is kept.
func (s *polled) begin(host string, now time.Time) (*server, error) {
	sv := &server{host: host, tales: map[string]tale{}, seen: now.Add(-s.Since).UnixMilli()}
	if sv.at = sv.from(s.Reach, now); exporter.CheckName(host) != nil {
		return sv, nil
	}
	kept, err := s.poller.sink.Last(host)
	if err != nil {
		return nil, err
	}
	if !kept.IsZero() {
		sv.floor = kept.UnixMilli()
		sv.seen = sv.floor - s.Late.Milliseconds()
	}
	sv.at = sv.from(s.Reach, now)
	return sv, nil
}

// A server that was silent for so many questions is asked more seldom.
const (
	quietQuestions = 10
	longestPause   = 5 * time.Minute
)

// A reading is a server that is read up to a time.
type reading struct {
	sv        *server
	at, end   int64 // ms; from where on it is to be read, and up to where
	span, was int64
	now       time.Time
}

// from is the time from which on a server is to be asked for, ms.
func (sv *server) from(reach time.Duration, now time.Time) int64 {
	return max(sv.seen+1, now.Add(-reach).UnixMilli())
}

// due are the servers that are to be asked for, by name.
func (s *polled) due(now time.Time) (list []*reading) {
	for _, host := range slices.Sorted(maps.Keys(s.servers)) {
		sv := s.servers[host]
		r := &reading{sv: sv, at: sv.from(s.Reach, now), end: now.UnixMilli() + 1, span: spanMs, was: sv.seen, now: now}
		switch {
		case now.Before(sv.next):
		case r.at >= r.end: // our clock was set back
			s.ends(r)
		default:
			list = append(list, r)
		}
	}
	return list
}

// read reads the next span of a server.
func (s *polled) read(ctx context.Context, r *reading) error {
	to := min(r.at+r.span, r.end)
	err := s.span(ctx, r.sv, r.at, to)
	if errors.Is(err, store.ErrTooMuch) && r.span > leastSpanMs {
		r.span = max(r.span/2, leastSpanMs)
		return nil
	}
	if err != nil {
		return err
	}
	if to < r.end && r.sv.seen >= r.at { // what was held back is read again
		to = min(to, r.sv.seen+1)
	}
	r.at = to
	s.locked(func() { r.sv.at = to })
	if r.at >= r.end {
		s.ends(r)
	}
	return nil
}

// ends notes whether the server said anything.
func (s *polled) ends(r *reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sv := r.sv
	if sv.quiet++; sv.seen != r.was {
		sv.quiet = 0
	}
	if sv.quiet > quietQuestions {
		sv.next = r.now.Add(min(longestPause, time.Duration(sv.quiet-quietQuestions)*s.Interval))
	}
}

// span reads a stretch of time, and hands on what every series of the server has come
// as far as.
func (s *polled) span(ctx context.Context, sv *server, from, to int64) error {
	a := &answer{}
	ask := store.Ask{Matches: []store.Match{store.Names(), store.Instances(s.Connect.ServerLabel, sv.instances)}, From: from, To: to}
	warnings, err := s.store.Read(ctx, ask, a.begin, a.take)
	if err != nil {
		return err
	}
	if len(warnings) > 0 { // a part of the answer is missing: it is asked for again
		return fmt.Errorf("its answer is not all there is: %s", warnings[0])
	}
	s.locked(func() { s.answers(sv, s.poller.now()) })
	if len(a.pieces) == 0 {
		return nil
	}
	tales := a.learn(sv.tales)
	frontier := frontier(tales, s.Late.Milliseconds())
	counts, err := s.poller.sink.Take(s.Name, a.until(frontier, tales, sv.floor, s.Connect.ServerLabel))
	if err != nil {
		return err
	}
	sv.tales, sv.seen = tales, max(sv.seen, frontier)
	s.locked(func() { s.status.Counts.Add(counts) })
	return nil
}
