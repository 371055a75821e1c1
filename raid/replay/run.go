package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/raid/policy"
)

// Options are what a trace is replayed against.
type Options struct {
	Layout       Layout
	Policies     []policy.Options
	Distribution Distribution

	// Depth is how many requests are kept going, whatever the trace's times; 0
	// is to begin them at these times.
	Depth int `name:"depth" most:"65536"`

	// Speed is how much faster than they say times pass.
	Speed float64 `name:"speed" above:"0" most:"1e6"`

	// Masks are the members that somebody told the array to be slow, virtual
	// only. The run without slow drives has none.
	Masks map[int]policy.Mask

	Drive Drive  // virtual only
	Seed  uint64 // virtual only: of the drives

	// As makes members answer as slowly as such a drive, real only: files in
	// memory are not like disks. Such drives are as much faster as the trace is
	// played.
	As Drive

	// Floor is the least that an I/O takes, real only. Where drives answer
	// faster than the machine can be relied on, it makes slower ones of them.
	Floor time.Duration `name:"floor"`

	// MemoryBytes is what a trace may take, with what became of each request
	// under each policy. Requests that are under way take a quarter more.
	MemoryBytes int64
}

// A Progress is told how much of the work is done.
type Progress func(done, total int)

// Default returns all policies over 8 data disks that are well.
func Default() Options {
	o := Options{Layout: DefaultLayout(), Distribution: defaultDistribution(KindNone), Speed: 1, Drive: Disk, Seed: 1, MemoryBytes: 512 << 20}
	for _, kind := range policy.Kinds() {
		o.Policies = append(o.Policies, policy.Default(kind))
	}
	return o
}

// Validate says whether a trace can be replayed with these options.
func (o *Options) Validate() error {
	switch {
	case len(o.Policies) == 0:
		return fmt.Errorf("no policy is chosen: name at least one policy")
	case o.MemoryBytes < requestBytes:
		return fmt.Errorf("a memory limit of %d bytes is too small for one request: raise the limit", o.MemoryBytes)
	}
	if err := bounds.Check(*o); err != nil {
		return err
	}
	for _, p := range o.Policies {
		if _, err := policy.New(p, o.Layout.Data, o.Layout.Parity); err != nil {
			return err
		}
	}
	for _, d := range []Drive{o.Drive, cmp.Or(o.As, o.Drive)} {
		if _, err := d.model(1); err != nil {
			return err
		}
	}
	return errors.Join(o.Distribution.Validate(), o.Distribution.Fits(o.Layout.members()))
}

// Virtual replays a trace on simulated drives: once for each policy, and once
// in normal mode without slow drives, which the others are held against.
// name is what reports call the trace. When ctx ends, so does the replay.
func Virtual(ctx context.Context, name string, records []Record, o Options, tell Progress) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	res := &Result{Trace: name, Options: o, Virtual: true}
	for i, c := range o.settings() {
		run, err := virtual(ctx, records, &o, c.policy, &c.delay)
		if err != nil {
			return nil, err
		}
		res.add(run)
		if tell != nil {
			tell(i+1, 1+len(o.Policies))
		}
	}
	res.warn(records)
	return res, nil
}

// A setting is what one run has: a policy, and who is slow.
type setting struct {
	policy policy.Options
	delay  Distribution
}

// settings are those to be compared, that without slow drives first.
func (o *Options) settings() []setting {
	list := []setting{{policy.Default(policy.Normal), defaultDistribution(KindNone)}}
	for _, p := range o.Policies {
		list = append(list, setting{p, o.Distribution})
	}
	return list
}

// add takes the run of the next setting.
func (res *Result) add(run *Run) {
	if res.FaultFree == nil {
		res.FaultFree = run
		return
	}
	res.Runs = append(res.Runs, run)
}

// virtual replays a trace once.
func virtual(ctx context.Context, records []Record, o *Options, p policy.Options, d *Distribution) (*Run, error) {
	rule, err := policy.New(p, o.Layout.Data, o.Layout.Parity)
	if err != nil {
		return nil, err
	}
	m, err := o.Drive.model(span(records) / int64(o.Layout.Data))
	if err != nil {
		return nil, err
	}
	if d.Kind != KindNone {
		probes := policy.DefaultMaskOptions()
		rule.SetMasks(o.Masks, &probes)
	}
	run := newRun(p, len(records))
	s := &simulation{
		layout: o.Layout, policy: rule, model: m, delay: d, seed: o.Seed,
		members: make([]simulated, o.Layout.members()), run: run, most: o.maxFlying(),
		feed: feed{records: records, depth: o.Depth, speed: o.Speed},
	}
	if err := s.play(ctx); err != nil {
		return nil, err
	}
	run.finish(rule.Counters(), s.now)
	return run, nil
}

// span is where the last byte of a trace lies.
func span(records []Record) int64 {
	var end int64
	for i := range records {
		end = max(end, records[i].Offset+records[i].Length)
	}
	return end
}
