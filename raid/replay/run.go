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

// Options are the options of a replay.
type Options struct {
	Layout       Layout
	Policies     []policy.Options
	Distribution Distribution

	// Depth is the number of requests that are always in flight, without regard to the times of the
	// trace. 0: requests begin at the times of the trace.
	Depth int `name:"depth" most:"65536"`

	// Speed is the factor by which the trace is played faster than its times.
	Speed float64 `name:"speed" above:"0" most:"1e6"`

	// Masks are the masks of members that the array knows to be slow, for Virtual only. The run
	// without slow drives has none.
	Masks map[int]policy.Mask

	Drive Drive  // for Virtual only
	Seed  uint64 // seed of the simulated drives, for Virtual only

	// As makes members answer as slowly as a drive of this kind, because files in memory are not
	// like disks; for Real only. These drives are faster by the factor Speed.
	As Drive

	// Floor is the shortest time of an I/O, for Real only. If drives answer so fast that delays of
	// the machine matter, Floor makes them slower.
	Floor time.Duration `name:"floor"`

	// MemoryBytes is the largest memory of a trace, with its latencies under each policy. Requests
	// in flight may take another quarter of MemoryBytes.
	MemoryBytes int64
}

// A Progress is called with the part of the work that is done.
type Progress func(done, total int)

// Default returns options with all policies over 8 healthy data disks.
func Default() Options {
	o := Options{Layout: DefaultLayout(), Distribution: defaultDistribution(KindNone), Speed: 1, Drive: Disk, Seed: 1, MemoryBytes: 512 << 20}
	for _, kind := range policy.Kinds() {
		o.Policies = append(o.Policies, policy.Default(kind))
	}
	return o
}

// Validate returns an error if a trace cannot be replayed with these options.
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

// Virtual replays a trace on simulated drives: once for each policy, and once in normal mode
// without slow drives, the baseline. name is the name of the trace in reports. The replay ends when
// ctx ends.
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

// A setting is the policy and the slow members of one run.
type setting struct {
	policy policy.Options
	delay  Distribution
}

// settings returns the settings to compare; the first has no slow drives.
func (o *Options) settings() []setting {
	list := []setting{{policy.Default(policy.Normal), defaultDistribution(KindNone)}}
	for _, p := range o.Policies {
		list = append(list, setting{p, o.Distribution})
	}
	return list
}

// add adds the run of the next setting.
func (res *Result) add(run *Run) {
	if res.FaultFree == nil {
		res.FaultFree = run
		return
	}
	res.Runs = append(res.Runs, run)
}

// virtual replays a trace once on simulated drives.
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

// span returns the end of the highest bytes of a trace.
func span(records []Record) int64 {
	var end int64
	for i := range records {
		end = max(end, records[i].Offset+records[i].Length)
	}
	return end
}
