//go:build linux

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
)

// settle is the time that a workload runs before the recording starts.
const settle = 10 * time.Second

// Perform builds the cluster of a run, records the run below dir, and removes the cluster. It
// writes the line of the truth file last. So a run without this line was not recorded to its end,
// and the next attempt removes the remaining files of the run.
func (p Place) Perform(ctx context.Context, system System, slot string, run *testbed.Run, dir string) error {
	scratch := filepath.Join(dir, "."+run.Name)
	if err := errors.Join(os.RemoveAll(scratch), os.RemoveAll(filepath.Join(dir, run.Name)), os.MkdirAll(filepath.Join(scratch, "activity"), 0o755)); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(scratch, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	layout := system.Layout(run)
	c, err := p.up(ctx, slot, &layout, run, log)
	var begin, end time.Time
	if err == nil {
		begin, end, err = c.record(ctx, system, scratch)
	}
	if err = errors.Join(err, p.Down(slot)); err != nil {
		return fmt.Errorf("run %s failed: %w (see the log %s)", run.Name, err, log.Name())
	}
	if err := errors.Join(os.Remove(log.Name()), os.Rename(scratch, filepath.Join(dir, run.Name))); err != nil {
		return err
	}
	return testbed.AddTruth(filepath.Join(dir, testbed.TruthFile), run, begin, end)
}

// record performs the experiment. It writes activity files, a topology, and the reports of the
// system about itself into dir.
func (c *Cluster) record(ctx context.Context, system System, dir string) (begin, end time.Time, err error) {
	service, err := system.Start(ctx, c)
	if err != nil {
		return begin, end, fmt.Errorf("the storage system does not start: %w", err)
	}
	if err = service.Prepare(ctx); err != nil {
		return begin, end, err
	}
	if err = c.limit(ctx); err != nil {
		return begin, end, err
	}
	work := &Processes{Log: c.Log}
	defer work.Stop(syscall.SIGKILL)
	if err = service.Work(work); err != nil {
		return begin, end, err
	}
	if err = Sleep(ctx, settle); err != nil {
		return begin, end, err
	}
	raw := filepath.Join(c.Top, "recorded")
	recorders := &Processes{Log: c.Log}
	defer recorders.Stop(syscall.SIGTERM)
	if err = c.observe(recorders, raw); err != nil {
		return begin, end, err
	}
	reports := c.follow(ctx, service, filepath.Join(raw, "reports"))
	begin, end, err = c.runFault(ctx, service)
	if err = errors.Join(err, reports()); err != nil {
		return begin, end, err
	}
	if err = errors.Join(work.Running(), recorders.Running()); err != nil {
		return begin, end, err
	}
	recorders.Stop(syscall.SIGTERM)
	text, err := service.Topology()
	if err != nil {
		return begin, end, err
	}
	return begin, end, errors.Join(
		pack(c.Hosts(), raw, filepath.Join(dir, "activity")), packReports(filepath.Join(raw, "reports"), filepath.Join(dir, string(c.Run.System))),
		os.WriteFile(filepath.Join(dir, "topology.yaml"), text, 0o644))
}

// follow records the reports of the system about itself, until the returned function is called.
func (c *Cluster) follow(ctx context.Context, service Service, dir string) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	var err error
	wait.Go(func() {
		if err = os.MkdirAll(dir, 0o755); err == nil {
			err = service.Observe(ctx, dir)
		}
	})
	return func() error {
		cancel()
		wait.Wait()
		return err
	}
}

// packReports compresses the reports of the system, if there are any.
func packReports(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil || len(files) == 0 {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return packFiles(files, to)
}

// runFault starts and ends the fault at the times of the run, and returns both times.
func (c *Cluster) runFault(ctx context.Context, service Service) (begin, end time.Time, err error) {
	if err := Sleep(ctx, c.Run.Before); err != nil {
		return begin, end, err
	}
	begin = time.Now()
	in, err := c.inject(ctx, service)
	if err != nil {
		return begin, end, errors.Join(err, in.end(ctx))
	}
	err = Sleep(ctx, c.Run.During)
	err = errors.Join(err, in.check(), in.end(ctx))
	end = time.Now()
	if err != nil {
		return begin, end, err
	}
	return begin, end, Sleep(ctx, c.Run.After)
}
