package table

// Coarsen folds the rows of a fine step into rows of a coarser one, so that one
// source feeds detectors with different steps.
//
// A value is the mean over the fine steps that have one. An average over
// requests counts by the requests of its step, so that it stays one; it is 0
// where no step had any. A component that has a value in fewer than half of the
// fine steps has none in the coarse one.
type Coarsen struct {
	schema  Schema // of the coarse rows
	perRow  int    // fine steps in a coarse one
	countBy []int  // by metric: the metric that its values count by, -1 where all count alike
	step    int64  // number of the coarse step in the making, 0 where there is none
	sums    [][]coarseSum
	heard   []bool
	upkeep  []Work // of the last fine row
	out     *Row
}

// coarseSum is a value in the making.
type coarseSum struct {
	Average
	steps int // fine steps that have a value
}

// NewCoarsen returns a coarsener of rows of a schema. The coarse step has to be
// a multiple of the schema's.
func NewCoarsen(s Schema, stepSeconds int64) *Coarsen {
	c := &Coarsen{perRow: int(stepSeconds / s.StepSeconds), schema: s}
	c.schema.StepSeconds = stepSeconds
	for _, m := range s.Metrics {
		by := -1
		if m.PerIO && s.Load >= 0 && s.Metrics[s.Load].Subject == m.Subject {
			by = s.Load
		}
		c.countBy = append(c.countBy, by)
		c.sums = append(c.sums, make([]coarseSum, s.Components))
	}
	c.out = NewRow(c.schema)
	c.heard, c.upkeep = make([]bool, len(c.out.Heard)), make([]Work, s.Components)
	return c
}

// Schema is that of the coarse rows.
func (c *Coarsen) Schema() Schema { return c.schema }

// Push takes the next fine row. It returns the coarse row that this completes,
// valid until the next call: the one whose last fine row this is, or an earlier
// one that this row shows to be over. Where a row does both, the later coarse row
// comes with the next call. Coarse steps without data are left out.
func (c *Coarsen) Push(row *Row) (*Row, bool) {
	if c.perRow == 1 {
		return row, true
	}
	n := StepOf(row.End, c.schema.StepSeconds)
	given := false
	if c.step != 0 && n != c.step {
		_, given = c.Flush()
	}
	c.step = n
	c.add(row)
	if !given && row.End == n*c.schema.StepSeconds {
		_, given = c.Flush()
	}
	return c.out, given
}

// add takes a fine row into the coarse step in the making.
func (c *Coarsen) add(row *Row) {
	copy(c.upkeep, row.Upkeep)
	for s, heard := range row.Heard {
		c.heard[s] = c.heard[s] || heard
	}
	for m, values := range row.Values {
		if by := c.countBy[m]; by >= 0 {
			addCounted(c.sums[m], values, row.Values[by])
		} else {
			addAlike(c.sums[m], values)
		}
	}
}

func addAlike(sums []coarseSum, values []float64) {
	for i, v := range values {
		if !IsMissing(v) {
			sums[i].Sum += v
			sums[i].Weight++
			sums[i].steps++
		}
	}
}

// addCounted takes values that count by their requests. Where these are not
// known, neither is the value.
func addCounted(sums []coarseSum, values, requests []float64) {
	for i, v := range values {
		if n := requests[i]; !IsMissing(v) && !IsMissing(n) {
			sums[i].Add(v, n)
			sums[i].steps++
		}
	}
}

// Before gives out the coarse row in the making where a fine row that ends at a
// time is none of it.
func (c *Coarsen) Before(end int64) (*Row, bool) {
	if StepOf(end, c.schema.StepSeconds) == c.step {
		return nil, false
	}
	return c.Flush()
}

// Empty says whether no coarse row is in the making.
func (c *Coarsen) Empty() bool { return c.step == 0 }

// Flush gives out the coarse row in the making, though it may lack fine ones.
func (c *Coarsen) Flush() (*Row, bool) {
	if c.step == 0 {
		return nil, false
	}
	c.out.End, c.step = c.step*c.schema.StepSeconds, 0
	copy(c.out.Upkeep, c.upkeep)
	clear(c.upkeep)
	some := false
	for s, heard := range c.heard {
		c.out.Heard[s], c.heard[s] = heard, false
		some = some || heard
	}
	for m, sums := range c.sums {
		for i := range sums {
			v := sums[i].mean(c.perRow)
			c.out.Values[m][i], sums[i] = v, coarseSum{}
			some = some || !IsMissing(v)
		}
	}
	return c.out, some
}

// mean is the value of a coarse step that has so many fine ones.
func (s *coarseSum) mean(fineSteps int) float64 {
	switch {
	case 2*s.steps < fineSteps:
		return Missing
	case s.Weight == 0:
		return 0
	}
	return s.Sum / s.Weight
}
