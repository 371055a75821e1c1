package evaluate

import "math"

// Confusion counts what was flagged and what should have been.
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

// Plus adds two counts up.
func (c Confusion) Plus(o Confusion) Confusion {
	return Confusion{c.TP + o.TP, c.FP + o.FP, c.TN + o.TN, c.FN + o.FN}
}

// Precision is the share of what was flagged that should have been; NaN where
// nothing was.
func (c Confusion) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall is the share of what should have been flagged that was; NaN where
// there was nothing to flag.
func (c Confusion) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// MCC is Matthews's correlation coefficient: 1 is right everywhere, 0 no
// better than chance, however rare faults are. NaN where either side has one
// class only.
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
