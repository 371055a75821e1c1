package poll

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/intake/machine"
	"github.com/limpet-storage/limpet/intake/series"
	"github.com/limpet-storage/limpet/store"
	"github.com/limpet-storage/limpet/store/connect"
	"github.com/limpet-storage/limpet/store/fetch"
)

// A Sink takes what was read. It is called by several goroutines at a time.
type Sink interface {
	// Take takes samples that a store told of a server.
	Take(sender string, b *series.Batch) (machine.Counts, error)
	// Last is the time of the last sample that is kept of a server; zero: there is
	// none.
	Last(server string) (time.Time, error)
}

// Status is what is known of a store.
type Status struct {
	Name, Kind string
	Up         bool // it answered when it was last asked
	Heard      time.Time
	Failed     uint64
	Counts     machine.Counts
	Trouble    string
}

// A Poller asks stores.
type Poller struct {
	sink   Sink
	now    func() time.Time
	stores []*polled
}

// New makes a poller.
func New(stores []Store, sink Sink, now func() time.Time) (*Poller, error) {
	if err := Validate(stores); err != nil {
		return nil, err
	}
	p := &Poller{sink: sink, now: now}
	for _, s := range stores {
		p.stores = append(p.stores, &polled{Store: s, poller: p, servers: map[string]*server{}, status: Status{Name: s.Name}, hold: hold{since: now()}})
	}
	return p, nil
}

// Run asks until ctx is done.
func (p *Poller) Run(ctx context.Context) {
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
func (p *Poller) Ask(ctx context.Context) {
	for _, s := range p.stores {
		s.ask(ctx)
	}
}

// Status tells of every store.
func (p *Poller) Status() (list []Status) {
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
	poller  *Poller
	store   *connect.Store // nil until it has answered
	servers map[string]*server
	listed  time.Time // when servers were last looked for

	mu     sync.Mutex // guards all below
	status Status
	hold   hold
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
	if err == nil {
		err = s.readAll(ctx, now)
	}
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold.over = err == nil
	if s.status.Up = err == nil; s.status.Up {
		s.status.Heard, s.status.Trouble = now, ""
		s.hold.reach(now.UnixMilli(), now)
		return
	}
	s.hold.away = s.hold.away || !errors.Is(err, errPartial)
	s.status.Failed++
	s.status.Trouble = fmt.Sprintf("the store %s could not be read, and is asked again: %v", s.Name, err)
}

// errPartial is an answer that lacks a part of what the store has.
var errPartial = errors.New("its answer is not all there is")

// readAll reads what is new of all servers. Where there is much they go on side by side, a
// span of each in turn: a row is complete when all have come as far. One of which the store
// tells a part only is left for the next time.
func (s *polled) readAll(ctx context.Context, now time.Time) (partial error) {
	left := s.due(now)
	for len(left) > 0 {
		first := left[0].at
		for _, r := range left {
			first = min(first, r.at)
		}
		s.locked(func() { s.hold.reach(first, s.poller.now()) })
		for _, r := range left {
			if r.at >= first+spanMs {
				continue
			}
			switch err := s.read(ctx, r); {
			case errors.Is(err, errPartial):
				partial = fmt.Errorf("%s: %w", r.sv.host, err)
				r.at = r.end
			case err != nil:
				return err
			}
		}
		left = slices.DeleteFunc(left, func(r *reading) bool { return r.at >= r.end })
	}
	return partial
}

func (s *polled) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// reach finds the store, and its servers now and then.
func (s *polled) reach(ctx context.Context, now time.Time) (err error) {
	if s.store == nil {
		if s.store, err = connect.Open(ctx, s.Connect); err != nil {
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
	hosts, _, err := fetch.Servers(ctx, s.store, since.UnixMilli(), now.UnixMilli())
	if err != nil {
		return err
	}
	s.listed = now
	for host, instances := range hosts {
		if s.servers[host] == nil {
			if s.servers[host], err = s.begin(host, now); err != nil {
				return err
			}
		}
		s.servers[host].instances = instances
	}
	return nil
}

// begin goes on behind what is kept of a server. What series it has is learnt from the
// last that is kept.
func (s *polled) begin(host string, now time.Time) (*server, error) {
	sv := &server{host: host, tales: map[string]tale{}, seen: now.Add(-s.Since).UnixMilli()}
	if series.CheckName(host) != nil {
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

// due are the servers that are to be asked for, by name.
func (s *polled) due(now time.Time) (list []*reading) {
	for _, host := range slices.Sorted(maps.Keys(s.servers)) {
		if sv := s.servers[host]; !now.Before(sv.next) {
			list = append(list, &reading{sv: sv, at: max(sv.seen+1, now.Add(-s.Reach).UnixMilli()), end: now.UnixMilli() + 1, span: spanMs, was: sv.seen, now: now})
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
	if r.at = to; r.at >= r.end {
		r.ends(s.Interval)
	}
	return nil
}

// ends notes whether the server said anything.
func (r *reading) ends(interval time.Duration) {
	sv := r.sv
	if sv.quiet++; sv.seen != r.was {
		sv.quiet = 0
	}
	if sv.quiet > quietQuestions {
		sv.next = r.now.Add(min(longestPause, time.Duration(sv.quiet-quietQuestions)*interval))
	}
}

// span reads a stretch of time, and hands on what every series of the server has come
// as far as.
func (s *polled) span(ctx context.Context, sv *server, from, to int64) error {
	a := &answer{}
	ask := store.Ask{Matches: []store.Match{fetch.Names(), fetch.Instances(s.Connect.ServerLabel, sv.instances)}, From: from, To: to}
	warnings, err := s.store.Read(ctx, ask, a.begin, a.take)
	if err != nil {
		return err
	}
	if len(warnings) > 0 { // a part of the answer is missing: it is asked for again
		return fmt.Errorf("%w: %s", errPartial, warnings[0])
	}
	s.locked(func() { s.hold.answers(s.poller.now()) })
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
