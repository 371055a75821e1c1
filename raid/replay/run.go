package replay

import (
	"fmt"

	"github.com/limpet-storage/limpet/raid/delay"
	"github.com/limpet-storage/limpet/raid/policy"
	"github.com/limpet-storage/limpet/raid/trace"
)

// Options are what a trace is replayed against.
type Options struct {
	Layout       Layout
	Policies     []policy.Options
	Distribution delay.Distribution

	// Depth is how many requests are kept going, whatever the trace's times; 0
	// is to begin them at these times.
	Depth int

	// Speed is how much faster than they say times pass.
	Speed float64

	Drive Drive  // virtual only
	Seed  uint64 // virtual only: of the drives
}

// Default returns all policies over 8 data disks that are well.
func Default() Options {
	o := Options{Layout: DefaultLayout(), Distribution: delay.Default(delay.KindNone), Speed: 1, Drive: Disk, Seed: 1}
	for _, kind := range policy.Kinds() {
		o.Policies = append(o.Policies, policy.Default(kind))
	}
	return o
}

// Validate says whether a trace can be replayed with these options.
func (o *Options) Validate() error {
	switch {
	case len(o.Policies) == 0:
		return fmt.Errorf("no policies; name at least one")
	case o.Depth < 0 || o.Depth > 1<<16:
		return fmt.Errorf("depth %d is not from 0 to 65536", o.Depth)
	case !(o.Speed > 0 && o.Speed <= 1e6):
		return fmt.Errorf("speed %v is not above 0 and at most 1e6", o.Speed)
	}
	for _, p := range o.Policies {
		if _, err := policy.New(p, o.Layout.Data, o.Layout.Parity); err != nil {
			return err
		}
	}
	if _, err := o.Drive.model(1); err != nil {
		return err
	}
	return o.Distribution.Validate()
}

// Virtual replays a trace on simulated drives: once for each policy, and once
// in normal mode without slow drives, which the others are held against.
// name is what reports call the trace.
func Virtual(name string, records []trace.Record, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	res := &Result{Trace: name, Options: o, Virtual: true}
	well := delay.Default(delay.KindNone)
	var err error
	if res.FaultFree, err = virtual(records, &o, policy.Default(policy.Normal), &well); err != nil {
		return nil, err
	}
	for _, p := range o.Policies {
		run, err := virtual(records, &o, p, &o.Distribution)
		if err != nil {
			return nil, err
		}
		res.Runs = append(res.Runs, run)
	}
	res.warn(records)
	return res, nil
}

// virtual replays a trace once.
func virtual(records []trace.Record, o *Options, p policy.Options, d *delay.Distribution) (*Run, error) {
	rule, err := policy.New(p, o.Layout.Data, o.Layout.Parity)
	if err != nil {
		return nil, err
	}
	m, err := o.Drive.model(span(records) / int64(o.Layout.Data))
	if err != nil {
		return nil, err
	}
	run := newRun(p, len(records))
	s := &simulation{
		layout: o.Layout, policy: rule, model: m, delay: d, seed: o.Seed,
		members: make([]member, o.Layout.members()), run: run,
		feed: feed{records: records, depth: o.Depth, speed: o.Speed},
	}
	s.play()
	run.finish(rule.Counters(), s.now)
	return run, nil
}

// span is where the last byte of a trace lies.
func span(records []trace.Record) int64 {
	var end int64
	for i := range records {
		end = max(end, records[i].Offset+records[i].Length)
	}
	return end
}
