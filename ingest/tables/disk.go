package tables

import (
	"context"
	"io"
)

// sortOnDisk sorts what is held and the rest of the file on disk, a run at a
// time, and makes the first samples ready.
func (c *tableCursor) sortOnDisk(ctx context.Context) (err error) {
	if c.spool, err = newStepSorter(c.tempDir, c.samples.metrics); err != nil {
		return err
	}
	for {
		for c.table != nil && c.samples.len() < c.maxSamples {
			if err := c.read(ctx); err != nil {
				return err
			}
		}
		if err := c.spoolHeld(); err != nil {
			return err
		}
		c.samples.clear()
		if c.table == nil {
			break
		}
	}
	c.samples = samples{metrics: c.samples.metrics}
	return c.unspool()
}

// spoolHeld writes the samples that are held, with their steps, as runs of a
// quarter each.
func (c *tableCursor) spoolHeld() error {
	const quarters = 4
	run := make([]sample, 0, c.maxSamples/quarters+1)
	for i, ns := range c.samples.times {
		run = append(run, sample{Step: stepOf(ns, c.stepSeconds), Who: c.samples.who[i], Time: ns, Values: c.samples.of(i)})
		if len(run) == cap(run) || i+1 == c.samples.len() {
			if err := c.spool.Add(run); err != nil {
				return err
			}
			run = run[:0]
		}
	}
	return nil
}

// unspool makes the next samples ready.
func (c *tableCursor) unspool() error {
	c.samples.clear()
	c.order, c.next, c.ready = c.order[:0], 0, 0
	for c.ready < batchRows {
		var s sample
		err := c.spool.Next(&s)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		copy(c.samples.add(s.Time, s.Who), s.Values)
		c.order = append(c.order, int32(c.ready))
		c.ready++
	}
	return nil
}
