//go:build linux

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
	"github.com/limpet-storage/limpet/lab/testbed/ceph"
	"github.com/limpet-storage/limpet/lab/testbed/gluster"
)

// inner runs the commands of the bench itself.
func inner(ctx context.Context, command string, args []string, stdout io.Writer) error {
	arguments := map[string]string{hogCommand: "a mode (listen or send) and an address", imagesCommand: "a directory and a mount point", getCommand: "an address"}
	switch {
	case command == getCommand && len(args) == 1:
		return ceph.Get(ctx, args[0], stdout)
	case command == hogCommand && len(args) == 2:
		return bench.Hog(ctx, args[0], args[1])
	case command == imagesCommand && len(args) == 2:
		return bench.Images(ctx, args[0], args[1])
	}
	return fmt.Errorf("the command %s needs %s", command, arguments[command])
}

// on returns the storage system of the runs.
func (o *options) on() bench.System {
	if o.system == testbed.Ceph {
		return ceph.System{}
	}
	return gluster.System{}
}

// check returns an error if this machine cannot run clusters.
func (o *options) check(context.Context) error {
	if err := bench.CheckMachine(o.on()); err != nil {
		return fmt.Errorf("the test bench was skipped: %w", err)
	}
	return nil
}

func (o *options) place() bench.Place { return bench.Place{Dir: o.work, Recorder: o.recorder} }

// down removes all clusters.
func (o *options) down(ctx context.Context) error {
	if err := o.check(ctx); err != nil {
		return err
	}
	claim, err := bench.Claim(ctx)
	if err != nil {
		return err
	}
	defer claim.Close()
	var errs []error
	for _, slot := range bench.Slots {
		errs = append(errs, o.place().Down(string(slot)))
	}
	return errors.Join(append(errs, bench.Unprefer())...)
}

// record records the runs that are missing, on several clusters at the same time. A run that fails
// does not stop the others.
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
	fmt.Fprintf(o.output, "%d of %d runs are not recorded yet; limpet-testbed records them now\n", len(missing), o.runs)
	claim, err := bench.Claim(ctx)
	if err != nil {
		return err
	}
	defer claim.Close()
	if err := o.priority(); err != nil {
		return err
	}
	err = o.all(ctx, missing)
	return errors.Join(err, bench.Unprefer())
}

// loop makes the runs of the loop whose results are missing. It ends at the first run that fails.
func (o *options) loop(ctx context.Context) error {
	o.system = testbed.Ceph
	if err := o.check(ctx); err != nil {
		return err
	}
	if err := o.absolute(); err != nil {
		return err
	}
	done, err := testbed.LoopNames(filepath.Join(o.dir, testbed.LoopFile))
	if err != nil {
		return err
	}
	claim, err := bench.Claim(ctx)
	if err != nil {
		return err
	}
	defer claim.Close()
	if err := o.priority(); err != nil {
		return err
	}
	for i := range min(o.runs, testbed.LoopRuns()) {
		run := testbed.DrawLoop(o.seed, i)
		if slices.Contains(done, run.Name) {
			continue
		}
		result, err := o.place().PerformLoop(ctx, o.on(), bench.Slots[:1], o.limpet, &run, o.dir)
		if err != nil {
			return errors.Join(err, bench.Unprefer())
		}
		fmt.Fprintf(o.output, "%s %s: %.0f writes/s before, %.0f at the lowest, %.0f at the end; actions: %s\n", time.Now().UTC().Format(time.TimeOnly), describe(&run),
			result.Before, result.Lowest, result.Last, cmp.Or(strings.Join(result.Actions, "; "), "none"))
	}
	return bench.Unprefer()
}

// niceness is that of runs that wait for other programs.
const niceness = 10

// priority gives the clusters a higher or a lower priority than other programs.
func (o *options) priority() error {
	if o.nice {
		return syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	}
	return bench.Prefer()
}

// all records the missing runs, one at a time on each cluster.
func (o *options) all(ctx context.Context, missing []testbed.Run) error {
	todo := make(chan testbed.Run)
	var workers sync.WaitGroup
	var failed sync.Map
	for i := range o.slots {
		workers.Go(func() {
			for r := range todo {
				if err := o.perform(ctx, bench.Slots[i:i+1], &r); err != nil && ctx.Err() == nil {
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

// absolute makes paths absolute, so that they are valid in all namespaces. It also checks that the
// recorder exists, and creates the directory of the runs.
func (o *options) absolute() (err error) {
	for _, path := range []*string{&o.dir, &o.work, &o.recorder, &o.limpet} {
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
	err := o.place().Perform(ctx, o.on(), slot, r, o.dir)
	verdict := "recorded"
	if err != nil {
		verdict = err.Error()
	}
	fmt.Fprintf(o.output, "%s %s: %s in %.0f s\n", time.Now().UTC().Format(time.TimeOnly), describe(r), verdict, time.Since(began).Seconds())
	return err
}

// missing returns the runs that the truth file does not contain.
func (o *options) missing() ([]testbed.Run, error) {
	path := filepath.Join(o.dir, testbed.TruthFile)
	if err := testbed.StartTruth(path, o.system); err != nil {
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
	if len(done) > 0 && done[0].System != o.system {
		return nil, fmt.Errorf("%s has runs of the storage system %s: name another directory with --dir", path, done[0].System)
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
