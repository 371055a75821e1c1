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
		p.stores = append(p.stores, &polled{Store: s, poller: p, servers: map[string]*server{}, status: Status{Name: s.Name}})
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

	mu     sync.Mutex
	status Status
}

// A server is how far one has been read.
type server struct {
	host      string
	instances []string
	seen      int64            // time of the last sample, ms
	last      map[string]int64 // of each series that was handed on
	quiet     int              // questions in a row without an answer
	next      time.Time        // when to ask again
}

// listEvery is how often servers are looked for, and listReach how far back.
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
	for _, host := range slices.Sorted(maps.Keys(s.servers)) {
		if sv := s.servers[host]; err == nil && !now.Before(sv.next) {
			err = s.read(ctx, sv, now)
		}
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
	hosts, _, err := fetch.Servers(ctx, s.store, now.Add(-listReach).UnixMilli(), now.UnixMilli())
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

// begin goes on behind what is kept of a server.
func (s *polled) begin(host string, now time.Time) (*server, error) {
	sv := &server{host: host, last: map[string]int64{}}
	if series.CheckName(host) != nil {
		return sv, nil
	}
	kept, err := s.poller.sink.Last(host)
	if err != nil {
		return nil, err
	}
	if sv.seen = now.Add(-s.Since).UnixMilli(); !kept.IsZero() {
		sv.seen = kept.UnixMilli() + 1 + s.Late.Milliseconds() // nothing that is kept is read again
	}
	return sv, nil
}

// longestPause is between two questions for a server that is silent.
const longestPause = 5 * time.Minute

// read reads what is new of a server, and what was late.
func (s *polled) read(ctx context.Context, sv *server, now time.Time) error {
	from := max(sv.seen-s.Late.Milliseconds(), now.Add(-s.Reach).UnixMilli())
	end, span, was := now.UnixMilli()+1, int64(spanMs), sv.seen
	for at := from; at < end; {
		to := min(at+span, end)
		err := s.span(ctx, sv, at, to)
		if errors.Is(err, store.ErrTooMuch) && span > leastSpanMs {
			span = max(span/2, leastSpanMs)
			continue
		}
		if err != nil {
			return err
		}
		at = to
	}
	if sv.quiet++; sv.seen != was {
		sv.quiet = 0
	}
	if sv.quiet > 10 {
		sv.next = now.Add(min(longestPause, time.Duration(sv.quiet-10)*s.Interval))
	}
	s.forget(sv)
	return nil
}

// span reads a stretch of time, and hands on what was not handed on before.
func (s *polled) span(ctx context.Context, sv *server, from, to int64) error {
	a := &answer{}
	ask := store.Ask{Matches: []store.Match{fetch.Names(), fetch.Instances(s.Connect.ServerLabel, sv.instances)}, From: from, To: to}
	warnings, err := s.store.Read(ctx, ask, func() { *a = answer{last: sv.last, label: s.Connect.ServerLabel, patience: s.Late} }, a.take)
	if err != nil {
		return err
	}
	if len(warnings) > 0 { // a part of the answer is missing: it is asked for again
		return fmt.Errorf("its answer is not all there is: %s", warnings[0])
	}
	counts, err := s.poller.sink.Take(s.Name, a.handed())
	if err != nil {
		return err
	}
	for key, t := range a.heard {
		sv.last[key] = t
		sv.seen = max(sv.seen, t)
	}
	s.mu.Lock()
	s.status.Counts.Add(counts)
	s.mu.Unlock()
	return nil
}

// forget drops series that ended.
func (s *polled) forget(sv *server) {
	oldest := sv.seen - 2*s.Late.Milliseconds() - longestPause.Milliseconds()
	maps.DeleteFunc(sv.last, func(_ string, t int64) bool { return t < oldest })
}
