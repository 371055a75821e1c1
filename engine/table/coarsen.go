package table

// Coarsener combines rows of a fine step into rows of a coarse step, so that detectors with
// different steps can use one source.
//
// A coarse value is the mean of the values in the fine rows. Missing values are left out. For a
// metric that is an average over requests, such as await, the mean is weighted by requests. The
// mean is 0 if there were no requests. A coarse value is missing if fewer than half of the fine
// rows have a value.
type Coarsener struct {
	schema  Schema // schema of the coarse rows
	perRow  int    // number of fine steps in a coarse step
	countBy []int  // by metric: index of the metric by which its values are weighted; -1 if all values have equal weights
	step    int64  // number of the coarse step that is being filled; 0 if there is no such step
	sums    [][]coarseSum
	heard   []bool
	upkeep  []Work // by component: rebuild or check of its array in the last fine row
	out     *Row
}

// coarseSum holds the sums from which a coarse value is computed.
type coarseSum struct {
	Average
	steps int // number of fine rows with a value
}

// NewCoarsener returns a Coarsener for fine rows of the schema s. The parameter `stepSeconds` is
// the coarse step, which must be a multiple of the schema's step.
func NewCoarsener(s Schema, stepSeconds int64) *Coarsener {
	c := &Coarsener{perRow: int(stepSeconds / s.StepSeconds), schema: s}
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

// Schema returns the schema of the coarse rows.
func (c *Coarsener) Schema() Schema { return c.schema }

// Push takes the next fine row. If this row completes a coarse row, Push returns the coarse row and
// true. The coarse row is valid until the next call. A coarse row is complete after its last fine
// row, or when a fine row of a later coarse step comes. One fine row may complete two coarse rows;
// the next call then returns the second coarse row. Coarse steps without data are left out.
func (c *Coarsener) Push(row *Row) (*Row, bool) {
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

// add adds a fine row to the coarse step that is being filled.
func (c *Coarsener) add(row *Row) {
	copy(c.upkeep, row.Upkeep)
	for s, heard := range row.Heard {
		c.heard[s] = c.heard[s] || heard
	}
	for m, values := range row.Values {
		if by := c.countBy[m]; by >= 0 {
			addCounted(c.sums[m], values, row.Values[by])
		} else {
			addEqual(c.sums[m], values)
		}
	}
}

// addEqual adds values to the sums, each with the weight 1.
func addEqual(sums []coarseSum, values []float64) {
	for i, v := range values {
		if !IsMissing(v) {
			sums[i].Sum += v
			sums[i].Weight++
			sums[i].steps++
		}
	}
}

// addCounted adds values to the sums, weighted by their requests. It skips values whose number of
// requests is unknown.
func addCounted(sums []coarseSum, values, requests []float64) {
	for i, v := range values {
		if n := requests[i]; !IsMissing(v) && !IsMissing(n) {
			sums[i].Add(v, n)
			sums[i].steps++
		}
	}
}

// RowBefore returns the coarse row that is being filled, if the next fine row belongs to a later
// coarse row. Otherwise it returns false: the next fine row belongs to the same coarse row, or no
// coarse row is being filled. The caller passes the Unix time at which the next fine row ends.
func (c *Coarsener) RowBefore(end int64) (*Row, bool) {
	if StepOf(end, c.schema.StepSeconds) == c.step {
		return nil, false
	}
	return c.Flush()
}

// IsEmpty reports whether no coarse row is being filled.
func (c *Coarsener) IsEmpty() bool { return c.step == 0 }

// Flush returns the coarse row that is being filled, even if it is incomplete. It returns false if
// no coarse row is being filled, or if the coarse row has no data.
func (c *Coarsener) Flush() (*Row, bool) {
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

// mean returns the coarse value. It is missing if fewer than half of the fine steps have a value.
// The parameter `fineSteps` is the number of fine steps in a coarse step.
func (s *coarseSum) mean(fineSteps int) float64 {
	switch {
	case 2*s.steps < fineSteps:
		return Missing
	case s.Weight == 0:
		return 0
	}
	return s.Sum / s.Weight
}
