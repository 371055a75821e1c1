package arrays

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// Write writes the scenario's activity files, topology and truth into dir, and creates dir if
// needed. It replaces the files of an earlier run when all new files are complete. If an error
// occurs before, or ctx ends, dir stays unchanged. Write calls progress with the work that is done,
// one call at a time; progress may be nil.
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

// files returns the names of all files that are written.
func (r *run) files() []string {
	names := []string{simulate.TopologyFile, simulate.TruthFile}
	for _, s := range r.servers() {
		for _, begins := range r.scenario.files(s) {
			names = append(names, r.scenario.fileName(s, begins))
		}
	}
	return names
}

// record simulates all cells and records every server. Several cells run at a time, one on each
// processor.
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

// teller returns a function that adds 1 to the work done, and calls progress, one call at a time.
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

// record simulates a cell to its end and records its servers.
func (c *cell) record(ctx context.Context, g *simulate.Stage, tell func()) (err error) {
	var files []*serverFiles
	for _, s := range c.Servers {
		files = append(files, &serverFiles{server: s, begins: c.scenario.files(s)})
	}
	defer func() {
		for _, d := range files {
			err = errors.Join(err, d.close())
		}
	}()
	load := newLoad(c.scenario)
	for left := c.scenario.records(); ; c.step(load.next(c.now, c.scenario.Interval.Seconds())) {
		for _, d := range files {
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

// serverFiles writes the files of one server, one after another.
type serverFiles struct {
	server *Server
	begins []time.Time // start times of the files to come
	open   *simulate.Recorder
	booted bool // the server has booted since the last record
}

// record takes the record of now, if there is one, and begins a new file when it is due.
func (d *serverFiles) record(s *Scenario, g *simulate.Stage, now time.Time) (err error) {
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

func (d *serverFiles) close() error {
	if d.open == nil {
		return nil
	}
	rec := d.open
	d.open = nil
	return rec.Close()
}
