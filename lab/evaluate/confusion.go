package evaluate

import "math"

// Confusion counts cases, such as components or windows, that are faulty or healthy, and flagged or
// not.
type Confusion struct {
	TP, FP, TN, FN int
}

func (c *Confusion) add(should, flagged bool) {
	switch {
	case should && flagged:
		c.TP++
	case should:
		c.FN++
	case flagged:
		c.FP++
	default:
		c.TN++
	}
}

// Plus returns the sum of two counts.
func (c Confusion) Plus(o Confusion) Confusion {
	return Confusion{c.TP + o.TP, c.FP + o.FP, c.TN + o.TN, c.FN + o.FN}
}

// Precision returns the share of the flagged cases that are faulty; NaN: none was flagged.
func (c Confusion) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall returns the share of the faulty cases that were flagged; NaN: none is faulty.
func (c Confusion) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// MCC returns Matthews's correlation coefficient: 1 is always right, 0 is no better than chance,
// however rare faults are. NaN: all or no cases are faulty, or all or none were flagged.
func (c Confusion) MCC() float64 {
	tp, fp, tn, fn := float64(c.TP), float64(c.FP), float64(c.TN), float64(c.FN)
	d := math.Sqrt(tp+fp) * math.Sqrt(tp+fn) * math.Sqrt(tn+fp) * math.Sqrt(tn+fn)
	if d == 0 {
		return math.NaN()
	}
	return (tp*tn - fp*fn) / d
}

func ratio(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}
