package agent

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/record"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// An Observation is one sample of this machine, in memory. It is valid until the observer
// returns.
type Observation struct {
	Time   time.Time
	Uptime uint64 // in 1/100 s
	Disks  []sysstat.Disk
	// Latencies are the bytes of a blklat.Sample; nil: requests are not measured.
	Latencies []byte
	// Inventory has the comments that describe the devices, in a stable order.
	Inventory []string
}

// Observe samples this machine until ctx is done, and calls observe with each sample. If
// Options.Record.Dir is set, it also records each sample, as Run does. Observe logs errors that
// occur meanwhile.
func Observe(ctx context.Context, o Options, log *slog.Logger, observe func(*Observation)) error {
	records := o.Record.Dir != ""
	if records {
		if err := o.Validate(); err != nil {
			return err
		}
	}
	m, err := openMachine(o, log)
	if err != nil {
		return err
	}
	defer m.close()
	v := &observer{machine: m, observe: observe}
	for i, c := range m.custom() {
		if c.ID == blklat.ID {
			v.latencies = i + 1
		}
	}
	if !records {
		return record.Observe(ctx, o.Record.Interval, v, v)
	}
	o.Record.File.CPUs, o.Record.File.Custom = m.cpus, m.custom()
	o.Record.Listener, o.Record.Log = v, log
	r, err := record.New(o.Record, v)
	if err == nil {
		err = r.Run(ctx)
	}
	return withHint(err)
}

// An observer is the sampler of a recorder and its listener. It keeps the inventory for the next
// observation.
type observer struct {
	*machine
	observe   func(*Observation)
	latencies int // position of latencies among the custom activities, from 1; 0: there are none
	lines     []string
	once      sync.Once
}

// Inventory returns the inventory of the machine and keeps it.
func (v *observer) Inventory() []string {
	lines := v.machine.Inventory()
	if !slices.Equal(lines, v.lines) {
		v.lines = slices.Clone(lines)
	}
	return lines
}

// Hear calls observe with the observation of a sample.
func (v *observer) Hear(t time.Time, uptime uint64, s *sysstat.Sample) {
	v.once.Do(func() {
		if len(v.lines) == 0 {
			v.Inventory()
		}
	})
	o := Observation{Time: t, Uptime: uptime, Disks: s.Disks, Inventory: v.lines}
	if v.latencies > 0 {
		if o.Latencies = s.Custom[v.latencies-1]; o.Latencies == nil {
			o.Latencies = []byte{}
		}
	}
	v.observe(&o)
}
