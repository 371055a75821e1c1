//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/gluster"
)

// hog is one end of a stream that hogs a link.
func hog(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("the command the command the command hog needs two arguments: a mode and an address")
	}
	return gluster.Hog(ctx, args[0], args[1])
}

// check reports what the machine lacks.
func (*options) check(context.Context) error {
	if err := gluster.Lacks(); err != nil {
		return fmt.Errorf("skipped: %w", err)
	}
	return nil
}

func (o *options) place() gluster.Place { return gluster.Place{Dir: o.work, Recorder: o.recorder} }

// down removes all clusters.
func (o *options) down(ctx context.Context) error {
	if err := o.check(ctx); err != nil {
		return err
	}
	claim, err := gluster.Claim(ctx)
	if err != nil {
		return err
	}
	defer claim.Close()
	var errs []error
	for _, slot := range gluster.Slots {
		errs = append(errs, o.place().Down(string(slot)))
	}
	return errors.Join(append(errs, gluster.Unprefer())...)
}

// record records the runs that are missing, on several clusters at once. A run
// that fails does not stop the others.
func (o *options) record(ctx context.Context) error {
	if err := o.check(ctx); err != nil {
		return err
	}
	if err := o.absolute(); err != nil {
		return err
	}
	missing, err := o.missing()
	if err != nil {
		return err
	}
	fmt.Fprintf(o.output, "%d of %d runs are not recorded yet\n", len(missing), o.runs)
	claim, err := gluster.Claim(ctx)
	if err != nil {
		return err
	}
	defer claim.Close()
	if err := gluster.Prefer(); err != nil {
		return err
	}
	err = o.all(ctx, missing)
	return errors.Join(err, gluster.Unprefer())
}

// all records runs.
func (o *options) all(ctx context.Context, missing []testbed.Run) error {
	todo := make(chan testbed.Run)
	var workers sync.WaitGroup
	var failed sync.Map
	for i := range o.slots {
		workers.Go(func() {
			for r := range todo {
				if err := o.perform(ctx, gluster.Slots[i:i+1], &r); err != nil && ctx.Err() == nil {
					failed.Store(r.Name, err)
				}
			}
		})
	}
	for _, r := range missing {
		select {
		case todo <- r:
		case <-ctx.Done():
		}
	}
	close(todo)
	workers.Wait()
	return errors.Join(ctx.Err(), failures(&failed))
}

// absolute makes paths mean the same in any namespace.
func (o *options) absolute() (err error) {
	for _, path := range []*string{&o.dir, &o.work, &o.recorder} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if _, err := os.Stat(o.recorder); err != nil {
		return fmt.Errorf("%w: build limpet-record with make build, or name its path with --recorder", err)
	}
	return os.MkdirAll(o.dir, 0o755)
}

func (o *options) perform(ctx context.Context, slot string, r *testbed.Run) error {
	began := time.Now()
	err := o.place().Perform(ctx, slot, r, o.dir)
	verdict := "recorded"
	if err != nil {
		verdict = err.Error()
	}
	fmt.Fprintf(o.output, "%s %s: %s in %.0f s\n", time.Now().UTC().Format(time.TimeOnly), describe(r), verdict, time.Since(began).Seconds())
	return err
}

// missing are the runs that the truth does not have.
func (o *options) missing() ([]testbed.Run, error) {
	path := filepath.Join(o.dir, testbed.TruthFile)
	if err := testbed.StartTruth(path); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	done, err := testbed.ParseTruth(path, data)
	if err != nil {
		return nil, err
	}
	var all []testbed.Run
	for i := range o.runs {
		r := o.drawn(i)
		if !slices.ContainsFunc(done, func(t testbed.Truth) bool { return t.Run == r.Name }) {
			all = append(all, r)
		}
	}
	return all, nil
}

func failures(failed *sync.Map) error {
	var names []string
	failed.Range(func(name, _ any) bool {
		names = append(names, name.(string))
		return true
	})
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("these runs failed: %s. Run the same command again to repeat these runs", strings.Join(names, ", "))
}
