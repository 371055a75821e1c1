package tables

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A tableCursor yields the samples of a file step by step. The pending sample is the next
// sample that it yields.
//
// The cursor keeps samples in memory until no older sample can follow in the file. For a
// file that is sorted by time, it keeps a few lines. For a file that is sorted by
// component, it keeps all lines. If there are more samples than maxSamples, the cursor
// sorts these samples and the rest of the file on disk.
type tableCursor struct {
	file   *tableFile
	system *topology.System
	step   int64    // step of the pending sample
	span   stepSpan // time of this step
	done   bool     // true if no sample is pending

	stepSeconds int64
	table       *reader // reader of the file; nil if the file was read to its end
	window      int     // number of samples to keep in memory; see tableScan.window
	maxSamples  int     // largest number of samples in memory; a file that needs more is sorted on disk
	tempDir     string
	sorter      *stepSorter // sorts samples on disk; if it is nil, samples are sorted in memory
	components  []int32     // for each component of the file: its index in the system
	samples     samples
	order       []int32 // indexes of samples, sorted by step
	next, ready int     // indexes in tableCursor.order; next is the pending sample, and ready is the first sample of an incomplete step
	newest      int64   // latest time of a sample so far, in ns
	count       int     // number of samples that were read
}

// openCursor opens a file and reads its first samples. The first sample is then the pending sample:
// the next sample that the cursor yields.
func (t *Source) openCursor(ctx context.Context, f *tableFile) (*tableCursor, error) {
	c := &tableCursor{file: f, system: t.system, stepSeconds: t.schema.StepSeconds, maxSamples: t.maxSamples, tempDir: t.options.TempDir}
	if f.kept.isKept() {
		return c, c.takeKept(ctx)
	}
	c.window = min(f.scan.window(), c.maxSamples)
	c.samples.metrics = len(t.description.Columns)
	c.samples.grow(min(c.window+batchRows, f.scan.samples))
	var err error
	c.table, err = f.open(t.description, t.windowBytes)
	if isEnd(err) {
		return nil, c.changed()
	}
	if err != nil {
		return nil, err
	}
	if err = c.peek(ctx); err != nil {
		c.Close()
	}
	return c, err
}

// takeKept takes the samples that the Source kept in memory when it read the file for the first
// time.
func (c *tableCursor) takeKept(ctx context.Context) error {
	if err := c.recognise(c.file.kept.listed); err != nil {
		return err
	}
	c.samples, c.file.kept = c.file.kept.samples, keptFile{}
	c.order = c.samples.byStep(c.stepSeconds)
	c.ready = len(c.order)
	return c.peek(ctx)
}

// window returns the number of samples that a cursor keeps in memory: one batch (batchRows), plus the
// samples of a span of time. The disorder of a file is the longest time by which a line is older than
// an earlier line. The span is twice the disorder. So about half of the samples in the window belong
// to complete steps, and the cursor can yield these samples (see refill). The number of samples in the
// span is estimated from the mean rate of samples in the file.
func (s *tableScan) window() int {
	if s.disorder == 0 {
		return batchRows
	}
	return batchRows + int(2*float64(s.samples)*float64(s.disorder)/float64(s.last-s.first))
}

func (c *tableCursor) Close() error {
	var err error
	if c.sorter != nil {
		err = c.sorter.Close()
		c.sorter = nil
	}
	return errors.Join(err, c.endFile())
}

func (c *tableCursor) endFile() error {
	if c.table == nil {
		return nil
	}
	err := c.table.Close()
	c.table = nil
	return err
}

// refill reads more samples until a step is complete. The disorder of a file is the longest time by
// which a line is older than an earlier line. A step is complete if its end < time of the newest
// sample − disorder. No further line of the file can belong to a complete step.
func (c *tableCursor) refill(ctx context.Context) error {
	if c.sorter != nil {
		return c.nextRange(ctx)
	}
	c.samples.keepOnly(c.order[c.next:])
	c.next, c.ready = 0, 0
	for window := c.window; c.ready == 0 && c.table != nil; window *= 2 {
		if window > c.maxSamples {
			return c.sortOnDisk(ctx)
		}
		for c.table != nil && c.samples.Len() < window {
			if err := c.read(ctx); err != nil {
				return err
			}
		}
		c.order = c.samples.byStep(c.stepSeconds)
		c.ready = c.complete()
	}
	return nil
}

// complete returns the number of samples in complete steps (see refill).
func (c *tableCursor) complete() int {
	if c.table == nil {
		return len(c.order)
	}
	open := stepOf(c.newest-c.file.scan.disorder, c.stepSeconds)
	return sort.Search(len(c.order), func(i int) bool {
		return stepOf(c.samples.times[c.order[i]], c.stepSeconds) >= open
	})
}

// read reads further samples of the file into memory. It closes the file at its end, or where its
// data are broken. It adds no warning about broken data, because the Source has already added a
// warning when it read the file for the first time.
func (c *tableCursor) read(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n := c.samples.Len()
	err := c.table.read(&c.samples)
	for _, t := range c.samples.times[n:] {
		c.newest = max(c.newest, t)
	}
	c.count += c.samples.Len() - n
	if err := c.recognise(c.table.roster.listed[len(c.components):]); err != nil {
		return err
	}
	if !isEnd(err) {
		return err
	}
	if c.count != c.file.scan.samples {
		return c.changed()
	}
	return c.endFile()
}

// recognise finds components of the file in the system. The parameter `more` lists the components
// that the cursor has met for the first time. If the system lacks one of these components, the file
// has changed since the first reading, and recognise returns an error.
func (c *tableCursor) recognise(more []topology.Listed) error {
	for _, l := range more {
		i, ok := c.system.Lookup(l.Name)
		if !ok {
			return c.changed()
		}
		c.components = append(c.components, int32(i))
	}
	return nil
}

func (c *tableCursor) changed() error {
	return fmt.Errorf("%s: the file changed while limpet was reading; run the command again", c.file.Path)
}

// sample returns the component, the time and the values of the pending sample, which is the next
// sample that the cursor yields.
func (c *tableCursor) sample() (who int32, ns int64, values []float64) {
	i := int(c.order[c.next])
	return c.components[c.samples.components[i]], c.samples.times[i], c.samples.valuesOf(i)
}

// advance goes on to the next sample, which becomes the pending sample.
func (c *tableCursor) advance(ctx context.Context) error {
	c.next++
	return c.peek(ctx)
}

// peek reads more samples if no sample is pending, and then sets c.step to the step of the pending
// sample.
func (c *tableCursor) peek(ctx context.Context) error {
	if c.next == c.ready {
		if err := c.refill(ctx); err != nil {
			return err
		}
	}
	if c.done = c.ready == 0; c.done {
		return nil
	}
	ns := c.samples.times[c.order[c.next]]
	if c.span.has(ns) {
		return nil
	}
	step := stepOf(ns, c.stepSeconds)
	if step < c.step {
		return c.changed()
	}
	c.step, c.span = step, spanOf(step, c.stepSeconds)
	return nil
}

// stepOf returns the number of the step of a time in nanoseconds. This is the first step that ends at
// or after the time.
func stepOf(ns, stepSeconds int64) int64 {
	second := int64(time.Second)
	return table.StepOf((ns+second-1)/second, stepSeconds)
}

// stepSpan is the time of a step: all times after `from`, up to `to`, in nanoseconds. Most samples belong
// to the same step as the sample before. To see this, it is enough to compare their time with the span of
// this step. stepOf would need two divisions.
type stepSpan struct{ from, to int64 }

func spanOf(step, stepSeconds int64) stepSpan {
	length := stepSeconds * int64(time.Second)
	return stepSpan{(step - 1) * length, step * length}
}

func (s stepSpan) has(ns int64) bool { return s.from < ns && ns <= s.to }
