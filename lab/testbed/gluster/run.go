//go:build linux

package gluster

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

// settle is how long a workload runs before it is recorded.
const settle = 10 * time.Second

// Perform builds the cluster of a run, records the run below dir, and removes
// the cluster. The truth of the run is noted last: a run without it was not
// recorded to its end, and what there is of it is replaced.
func (p Place) Perform(ctx context.Context, slot string, run *testbed.Run, dir string) error {
	scratch := filepath.Join(dir, "."+run.Name)
	if err := errors.Join(os.RemoveAll(scratch), os.RemoveAll(filepath.Join(dir, run.Name)), os.MkdirAll(filepath.Join(scratch, "activity"), 0o755)); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(scratch, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	c, err := p.Up(ctx, slot, run, log)
	var begin, end time.Time
	if err == nil {
		begin, end, err = c.record(ctx, scratch)
	}
	if err = errors.Join(err, p.Down(slot)); err != nil {
		return fmt.Errorf("run %s: %w (see %s)", run.Name, err, log.Name())
	}
	if err := errors.Join(os.Remove(log.Name()), os.Rename(scratch, filepath.Join(dir, run.Name))); err != nil {
		return err
	}
	return testbed.AddTruth(filepath.Join(dir, testbed.TruthFile), run, begin, end)
}

// record makes the experiment, and leaves activity files and a topology.
func (c *Cluster) record(ctx context.Context, dir string) (begin, end time.Time, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var forgets sync.WaitGroup
	defer forgets.Wait()
	defer cancel()
	if err = c.makeReady(ctx); err != nil {
		return begin, end, err
	}
	work := &processes{log: c.log}
	defer work.stop(syscall.SIGKILL)
	if err = c.work(work); err != nil {
		return begin, end, err
	}
	if c.run.Workload.Reads() || c.run.Fault == testbed.SelfHeal { // which reads what is good
		forgets.Go(func() { c.forget(ctx) })
	}
	if err = sleep(ctx, settle); err != nil {
		return begin, end, err
	}
	raw := filepath.Join(c.top, "recorded")
	recorders := &processes{log: c.log}
	defer recorders.stop(syscall.SIGTERM)
	if err = c.observe(recorders, raw); err != nil {
		return begin, end, err
	}
	if begin, end, err = c.strike(ctx); err != nil {
		return begin, end, err
	}
	if err = errors.Join(work.running(), recorders.running()); err != nil {
		return begin, end, err
	}
	recorders.stop(syscall.SIGTERM)
	text, err := c.topology()
	if err != nil {
		return begin, end, err
	}
	return begin, end, errors.Join(pack(raw, filepath.Join(dir, "activity")), os.WriteFile(filepath.Join(dir, "topology.yaml"), text, 0o644))
}

// makeReady writes what is to be read, and sets the limits.
func (c *Cluster) makeReady(ctx context.Context) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if c.run.Fault == testbed.SelfHeal {
		if err := c.neglect(ctx); err != nil {
			return err
		}
	}
	for _, s := range servers() { // what was prepared is on disk before disks are slow
		if err := command(ctx, "sync", "-f", c.brick(s)); err != nil {
			return err
		}
	}
	return c.limit(ctx)
}

// strike lets the fault come and go at its time.
func (c *Cluster) strike(ctx context.Context) (begin, end time.Time, err error) {
	if err := sleep(ctx, c.run.Before); err != nil {
		return begin, end, err
	}
	begin = time.Now()
	in, err := c.inject(ctx)
	if err != nil {
		return begin, end, errors.Join(err, in.end(ctx))
	}
	err = sleep(ctx, c.run.During)
	err = errors.Join(err, in.check(), in.end(ctx))
	end = time.Now()
	if err != nil {
		return begin, end, err
	}
	return begin, end, sleep(ctx, c.run.After)
}
