// This file computes the slowdown of drives (T16 §3.1):
//
//	S = mean latency of the drive in the hour / median of its group in the hour
//
// T1, T2 and T3 are the three largest slowdowns of the group in the hour: its tails. An hour
// is a tail hour at a threshold if T1 ≥ threshold, else it is stable.

package study

// count counts the group's hour in the block, which has at least three members.
func (l *lane) count() {
	k := &l.block
	kind := k.kind(l.fleet)
	index := l.cell(k.group, kind)
	c, s := &l.cells[index], l.spreads[kind]
	k.ordered = append(k.ordered[:0], k.latency...)
	l.sorter.Sort(k.ordered)
	median := median(k.ordered)
	for _, v := range k.ordered {
		s.Slowdown[l.binner.Bin(value(v)/median)]++
	}
	t1 := l.countTails(c, s, median)
	l.countTime(c)
	l.seat(index)
	l.markContinued(index)
	if t1 >= l.kept {
		l.keepSlow(index, median)
	}
	l.countImbalance(c, s, median)
	l.countStep(c, s, t1)
}

// countTails counts T1, T2 and T3 of the group's hour and returns T1. block.ordered must be
// sorted.
func (l *lane) countTails(c *Cell, s *Spread, median float64) (t1 float64) {
	k := &l.block
	n := len(k.ordered)
	for i := range Narrowest {
		tail := value(k.ordered[n-1-i]) / median
		s.Tails[i][l.binner.Bin(tail)]++
		c.TailSum[i] += int64(min(tail, MostRatio) * TailUnits)
	}
	return value(k.ordered[n-1]) / median
}
