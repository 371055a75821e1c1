package arrays

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// Write writes the scenario's activity files, topology and truth into dir,
// which is made where it is not there. Files of an earlier run are replaced,
// but not before all of the new ones are whole: where that fails, or ctx ends
// meanwhile, dir stays as it was. Progress is called with how much of the work is done,
// one call at a time; it may be nil.
func (s *Scenario) Write(ctx context.Context, dir string, progress func(done, total int)) (*simulate.Truth, error) {
	r, err := s.start()
	if err != nil {
		return nil, err
	}
	g, err := simulate.NewStage(dir, r.files()...)
	if err != nil {
		return nil, err
	}
	defer g.Discard()
	truth := r.truth()
	if err := errors.Join(g.Write(simulate.TopologyFile, s.Topology), g.WriteTruth(truth)); err != nil {
		return nil, err
	}
	if err := r.record(ctx, g, progress); err != nil {
		return nil, err
	}
	return truth, g.Place()
}

// files are all that is written.
func (r *run) files() []string {
	names := []string{simulate.TopologyFile, simulate.TruthFile}
	for _, s := range r.servers() {
		for _, begins := range r.scenario.files(s) {
			names = append(names, r.scenario.fileName(s, begins))
		}
	}
	return names
}

// record runs the cells to their end with a recorder on every server, as many
// at a time as there are processors.
func (r *run) record(ctx context.Context, g *simulate.Stage, progress func(done, total int)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	todo := make(chan *cell)
	tell := teller(progress, len(r.cells)*r.scenario.records())
	for range min(runtime.GOMAXPROCS(0), len(r.cells)) {
		workers.Go(func() {
			for c := range todo {
				if err := c.record(ctx, g, tell); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, c := range r.cells {
		todo <- c
	}
	close(todo)
	workers.Wait()
	return context.Cause(ctx)
}

// teller counts what is done, one at a time.
func teller(progress func(done, total int), total int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; progress != nil {
			progress(done, total)
		}
	}
}

// record runs a cell to its end.
func (c *cell) record(ctx context.Context, g *simulate.Stage, tell func()) (err error) {
	var desks []*desk
	for _, s := range c.Servers {
		desks = append(desks, &desk{server: s, begins: c.scenario.files(s)})
	}
	defer func() {
		for _, d := range desks {
			err = errors.Join(err, d.close())
		}
	}()
	load := newLoad(c.scenario)
	for left := c.scenario.records(); ; c.step(load.next(c.now, c.scenario.Interval.Seconds())) {
		for _, d := range desks {
			if err := d.record(c.scenario, g, c.now); err != nil {
				return err
			}
		}
		tell()
		if left--; left == 0 || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// A desk is where the files of one server are written, one after another.
type desk struct {
	server *Server
	begins []time.Time // of the files to come
	open   *simulate.Recorder
	booted bool // since the last record
}

// record takes a record, where there is one at that time, and begins a new
// file when it is time for that.
func (d *desk) record(s *Scenario, g *simulate.Stage, now time.Time) (err error) {
	if !d.server.Records(now) {
		d.booted = d.booted || d.server.Off
		return nil
	}
	if len(d.begins) > 0 && !now.Before(d.begins[0]) {
		d.begins = d.begins[1:]
		if err := d.close(); err != nil {
			return err
		}
		if d.open, err = d.server.NewRecorder(g.Path(s.fileName(d.server, now)), now, d.booted); err != nil {
			return err
		}
	}
	d.booted = false
	return d.open.Record(d.server.Clock.Show(now), d.server.Uptime(), d.server.Sample)
}

func (d *desk) close() error {
	if d.open == nil {
		return nil
	}
	rec := d.open
	d.open = nil
	return rec.Close()
}
