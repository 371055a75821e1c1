package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

const (
	// rounds is the number of parts of a trace. All settings replay a part before any setting goes
	// on to the next part. So other work of the machine, and the content of its caches, affect all
	// settings alike.
	rounds = 20

	// leastPart is the smallest number of requests in a part. A policy compares requests in flight,
	// and needs enough of them.
	leastPart = 100

	// warmUp is the number of requests that are replayed before the measurement.
	warmUp = 200
)

// Real replays a trace over the array of these members, slowed down in real time: once for each
// policy, and twice in normal mode without slow drives. The first of these two runs is the
// baseline; the second shows how much two runs differ by chance. Real closes the members. It does
// the writes of the trace with arbitrary bytes, so the data of the array are overwritten.
func Real(ctx context.Context, name string, records []Record, o Options, members []raid.Member, tell Progress) (*Result, error) {
	s, err := openStage(members, o)
	if err != nil {
		return nil, err
	}
	res, err := s.replay(ctx, name, records, o, tell)
	if err := errors.Join(err, s.array.Close()); err != nil {
		return nil, err
	}
	return res, nil
}

func (s *stage) replay(ctx context.Context, name string, records []Record, o Options, tell Progress) (*Result, error) {
	g := s.array.Geometry()
	o.Layout = Layout{Data: g.Data, Parity: g.Members() - g.Data}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	records, folded := fold(records, g)
	turns, err := s.turns(records, &o)
	if err != nil {
		return nil, err
	}
	if err := s.takeTurns(ctx, turns, records, &o, tell); err != nil {
		return nil, err
	}
	res := &Result{Trace: name, Options: o}
	for _, t := range turns {
		t.run.finish(t.reader.Counters(), t.passed)
		res.add(t.run)
	}
	again := res.Runs[len(res.Runs)-1]
	res.Runs = res.Runs[:len(res.Runs)-1]
	res.warn(records)
	res.warnReal(again, folded, s.array.Status().Warnings)
	return res, nil
}

// turns returns a turn for each setting, and a second turn without slow drives.
func (s *stage) turns(records []Record, o *Options) ([]*turn, error) {
	settings := o.settings()
	var turns []*turn
	for _, c := range append(settings, settings[0]) {
		r, err := s.array.NewReader(c.policy)
		if err != nil {
			return nil, err
		}
		turns = append(turns, &turn{
			reader: r, run: newRun(c.policy, len(records)),
			source: NewSource(c.delay, s.array.Geometry().Members()),
		})
	}
	return turns, nil
}

func (s *stage) takeTurns(ctx context.Context, turns []*turn, records []Record, o *Options, tell Progress) error {
	p := newPlayer(s.array, records, o)
	warm, err := s.turns(records, &Options{})
	if err != nil {
		return err
	}
	if err := p.play(ctx, warm[0], 0, min(warmUp, len(records))); err != nil {
		return err
	}
	parts := min(rounds, max(1, len(records)/leastPart))
	for round := range parts {
		from, to := round*len(records)/parts, (round+1)*len(records)/parts
		for i := range turns {
			if err := s.take(ctx, turns[(round+i)%len(turns)], p, from, to); err != nil {
				return err
			}
			if tell != nil {
				tell(round*len(turns)+i+1, parts*len(turns))
			}
		}
	}
	return nil
}

// take runs a part of the trace with one setting. The clock of the setting goes on from the end of
// its last part.
func (s *stage) take(ctx context.Context, t *turn, p *player, from, to int) error {
	begun := s.now()
	s.slow.Store(&slowed{t.source, begun - t.passed})
	defer s.slow.Store(nil)
	err := p.play(ctx, t, from, to)
	t.passed += s.now() - begun
	return err
}

// fold moves requests beyond the end of the array into the array, each to the same offset in a
// stripe. It returns how many it moved.
func fold(records []Record, g raid.Geometry) (within []Record, folded int) {
	within = slices.Clone(records)
	stripe := int64(g.Data) * raid.ChunkSize
	for i := range within {
		r := &within[i]
		if r.Offset <= g.Size()-r.Length {
			continue
		}
		folded++
		r.Length = min(r.Length, g.Size())
		in := r.Offset % stripe
		if room := g.Size() - r.Length - in; room >= 0 {
			r.Offset = r.Offset/stripe%(room/stripe+1)*stripe + in
		} else {
			r.Offset = 0
		}
	}
	return within, folded
}

// warnReal adds warnings about measurements on real drives.
func (res *Result) warnReal(again *Run, folded int, array []string) {
	note := func(format string, args ...any) { res.Warnings = append(res.Warnings, fmt.Sprintf(format, args...)) }
	note("the p99.9 latency of a second run without slow drives is %s times the p99.9 latency of the first run: this machine alone can cause a difference of this size between two policies",
		ratio(again.Against(res.FaultFree, tail)))
	if d := res.Options.As; d != "" {
		note("without the added slowdowns, every I/O takes as long as on a simulated %s, which is %g times faster than a real drive and does one I/O at a time", d, res.Options.Speed)
	}
	if res.Options.Floor > 0 {
		note("without the added slowdowns, every I/O takes at least %v", res.Options.Floor)
	}
	if folded > 0 {
		note("%d requests of the trace were beyond the end of the array, so limpet moved these requests into the array", folded)
	}
	for _, r := range res.Runs {
		if n := r.Counters.Failed; n > 0 {
			note("%d reads with policy %s failed", n, r.Policy.Kind)
		}
	}
	res.Warnings = append(res.Warnings, array...)
}

// openStage opens the array with members that can be slowed down.
func openStage(members []raid.Member, o Options) (*stage, error) {
	s := &stage{began: time.Now()} //nolint:forbidigo // latencies are real
	slow := make([]raid.Member, len(members))
	for i, m := range members {
		if m == nil {
			continue
		}
		if o.As != "" {
			drive, err := o.As.emulate(m, i, o)
			if err != nil {
				return nil, errors.Join(err, closeAll(members))
			}
			m = drive
		}
		if o.Floor > 0 {
			m = floored{m, o.Floor}
		}
		slow[i] = member.NewSlow(m, i, s, s.began)
	}
	ro := raid.DefaultOptions()
	ro.Policy = policy.Default(policy.Normal)
	ro.Degraded = slices.Contains(members, nil)
	var err error
	if s.array, err = raid.Open(slow, ro); err != nil {
		return nil, errors.Join(err, closeAll(members))
	}
	return s, nil
}

func closeAll(members []raid.Member) (err error) {
	for _, m := range members {
		if m != nil {
			err = errors.Join(err, m.Close())
		}
	}
	return err
}
