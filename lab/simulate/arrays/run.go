package arrays

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// A run is the running simulation of a scenario.
type run struct {
	scenario *Scenario
	system   *topology.System
	cells    []*cell
	events   []aimed
}

// start builds the system in its state at the scenario's first record.
func (s *Scenario) start() (*run, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	system, err := s.System()
	if err != nil {
		return nil, err
	}
	r := &run{scenario: s, system: system}
	for _, c := range build(s.blueprint(), system) {
		r.cells = append(r.cells, &cell{lunCell: c, scenario: s, now: s.Start})
	}
	found := newDirectory(system, r.cells)
	for _, e := range s.Events {
		a, err := found.aim(e)
		if err != nil {
			return nil, err
		}
		r.events = append(r.events, a)
	}
	r.share()
	for _, c := range r.cells {
		c.begin()
	}
	return r, nil
}

// now returns the simulated time, which is the same in all cells.
func (r *run) now() time.Time { return r.cells[0].now }

// forkAttachments is the least number of attachments for a worker. A worker needs about 100 µs for
// them, ten times as long as it takes to wake the worker.
const forkAttachments = 1024

// each calls do for every cell, on several processors if the system is large enough. Cells share
// nothing, so the order of the calls does not matter.
func (r *run) each(do func(i int, c *cell)) {
	workers := max(1, min(runtime.GOMAXPROCS(0), len(r.cells), len(r.system.Components)/forkAttachments))
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(r.cells); i = int(next.Add(1)) - 1 {
			do(i, r.cells[i])
		}
	}
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// servers returns all servers, in the order of the topology.
func (r *run) servers() []*Server {
	by := map[string]*Server{}
	for _, c := range r.cells {
		for _, s := range c.Servers {
			by[s.Name] = s
		}
	}
	var list []*Server
	for _, name := range r.system.Servers {
		list = append(list, by[name])
	}
	return list
}

// truth returns the truth about the run.
func (r *run) truth() *simulate.Truth {
	t := &simulate.Truth{System: r.system.Name, Seed: r.scenario.Seed, From: r.scenario.Start, To: r.scenario.End}
	for _, e := range r.events {
		t.Add(r.fault(e))
	}
	return t
}

func (r *run) fault(e aimed) simulate.Fault {
	f := e.describe()
	f.From, f.To = e.From, e.To
	layout := "15:04"
	if r.scenario.End.Sub(r.scenario.Start) > 24*time.Hour {
		layout = "2006-01-02 15:04"
	}
	f.Text += " from " + e.From.Format(layout)
	if e.To.Before(r.scenario.End) {
		f.Text += " to " + e.To.Format(layout)
	}
	for _, a := range e.hit {
		f.Attachments = append(f.Attachments, a.Name)
	}
	return f
}
