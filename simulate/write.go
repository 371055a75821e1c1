package simulate

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
)

// What a scenario is written as, in its directory.
const (
	TopologyFile = "topology.yaml"
	TruthFile    = "truth.yaml"
	ActivityDir  = "activity" // one file a server
)

// Write writes the scenario's activity files, topology and truth into dir,
// which is made where it is not there. Files of an earlier run are replaced,
// but not before all of the new ones are whole: where that fails, or ctx ends
// meanwhile, dir stays as it was. Progress hears how many of all records in
// time are taken; it may be nil.
func (s *Scenario) Write(ctx context.Context, dir string, progress func(done, total int)) (*Truth, error) {
	r, err := s.start()
	if err != nil {
		return nil, err
	}
	g, err := newStage(dir, r)
	if err != nil {
		return nil, err
	}
	defer g.discard()
	truth := r.truth()
	if err := g.texts(s.Topology, truth); err != nil {
		return nil, err
	}
	if err := r.record(ctx, g, progress); err != nil {
		return nil, err
	}
	return truth, g.place()
}

// fileName is that of a server's activity file, by the time of its first
// record (L13 §4.1.1).
func (s *Scenario) fileName(server string) string {
	name := server + "-" + s.Start.UTC().Format("20060102T150405Z") + ".sa"
	if slices.Contains(s.Compressed, server) {
		name += ".zst"
	}
	return name
}

// record runs the scenario to its end with a recorder on every server.
func (r *run) record(ctx context.Context, g *stage, progress func(done, total int)) (err error) {
	var recorders []*recorder
	defer func() {
		for _, rec := range recorders {
			err = errors.Join(err, rec.Close())
		}
	}()
	for _, s := range r.servers {
		path := g.path(filepath.Join(ActivityDir, r.scenario.fileName(s.name)))
		rec, err := newRecorder(path, s, r.now, slices.Contains(r.scenario.Compressed, s.name))
		if err != nil {
			return err
		}
		recorders = append(recorders, rec)
	}
	return r.recordAll(ctx, recorders, progress)
}

func (r *run) recordAll(ctx context.Context, recorders []*recorder, progress func(done, total int)) error {
	total := r.scenario.records()
	for done := 1; ; done++ {
		for i, s := range r.servers {
			if err := recorders[i].record(s, r.now); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(done, total)
		}
		if err := ctx.Err(); err != nil || done == total {
			return err
		}
		r.step()
	}
}
