package replay

// A file of quantiles is CSV: slowdowns in increasing order, and the share of the drive hours, or
// of the reads, with at least this slowdown.
//
//	slowdown,share
//	1,0.0357
//	1.5,0.007
//	2,0.0022
//
// Between two lines the share falls as a power of the slowdown. Reads beyond the share of the first
// line are not slowed down. The share of the last line has exactly the slowdown of the last line.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Quantile is a slowdown, and the share of reads with at least this slowdown.
type Quantile struct{ Slowdown, Share float64 }

// Quantiles is a distribution, with increasing slowdowns and falling shares.
type Quantiles []Quantile

// t16Hours is the number of drive hours of T16's disks (§3).
const t16Hours = 857e6

// rare returns the distribution of hourly slowdowns of T16's disks, as far as the paper has it:
//   - 0.7 % of the hours at 1.5 or more and 0.22 % at 2 or more (§4.1.1);
//   - 0.01 % at 9 or more and 0.001 % at 30 or more, 2,461 hours at 100 or more, 124 hours at 1,000
//     or more (Table 3).
//
// The two ends are assumptions: from 1 to 1.5 the share follows the power law of 1.5 to 2, and one
// hour is at 10,000 or more.
func rare() Quantiles {
	return Quantiles{
		{1, 0.0357},
		{1.5, 0.007},
		{2, 0.0022},
		{9, 1e-4},
		{30, 1e-5},
		{100, 2461 / t16Hours},
		{1000, 124 / t16Hours},
		{10000, 1 / t16Hours},
	}
}

// Validate returns an error if q is not a distribution.
func (q Quantiles) Validate() error {
	if len(q) == 0 {
		return errors.New("the distribution has no quantiles: write at least one SLOWDOWN=SHARE, such as 2=0.01 (1 % of the reads take at least 2 times as long)")
	}
	for i, at := range q {
		switch {
		case !(at.Slowdown >= 1 && at.Slowdown <= 1e9):
			return fmt.Errorf("the slowdown %[2]v of quantile %[1]d is not possible: write a number from 1 to 1e9", i+1, at.Slowdown)
		case !(at.Share > 0 && at.Share <= 1):
			return fmt.Errorf("the share %[2]v of quantile %[1]d is not possible: write a number above 0 and at most 1", i+1, at.Share)
		case i > 0 && at.Slowdown <= q[i-1].Slowdown:
			return fmt.Errorf("the slowdown %[2]v of quantile %[1]d is not larger than the slowdown %[3]v of the quantile before: write the quantiles in ascending order", i+1, at.Slowdown, q[i-1].Slowdown)
		case i > 0 && at.Share >= q[i-1].Share:
			return fmt.Errorf("the share %[2]v of quantile %[1]d is not smaller than the share %[3]v of the quantile before: write a smaller share, because fewer reads have at least this larger slowdown", i+1, at.Share, q[i-1].Share)
		}
	}
	return nil
}

// At returns the slowdown that a share u of the reads, above 0, reaches or exceeds.
func (q Quantiles) At(u float64) float64 {
	// i is the first line with a share below u.
	i, _ := slices.BinarySearchFunc(q, u, func(at Quantile, u float64) int {
		if at.Share >= u {
			return -1
		}
		return 1
	})
	switch i {
	case 0:
		return 1
	case len(q):
		return q[i-1].Slowdown
	}
	a, b := q[i-1], q[i]
	power := math.Log(u/a.Share) / math.Log(b.Share/a.Share)
	return a.Slowdown * math.Pow(b.Slowdown/a.Slowdown, power)
}

// ReadQuantiles reads a file of quantiles; name is the name of the file in errors.
func ReadQuantiles(name string, r io.Reader) (Quantiles, error) {
	var q Quantiles
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if n == 1 && text == "slowdown,share" || text == "" {
			continue
		}
		at, err := parseQuantile(text, ",")
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w: write a slowdown and a share, such as 2,0.01", name, n, err)
		}
		q = append(q, at)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := q.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return q, nil
}

func parseQuantile(text, between string) (Quantile, error) {
	slowdown, share, _ := strings.Cut(text, between)
	var at Quantile
	var err error
	if at.Slowdown, err = strconv.ParseFloat(slowdown, 64); err != nil {
		return at, fmt.Errorf("the slowdown %q is not a number", slowdown)
	}
	if at.Share, err = strconv.ParseFloat(share, 64); err != nil {
		return at, fmt.Errorf("the share %q is not a number", share)
	}
	return at, nil
}

// writeQuantiles writes a file that ReadQuantiles reads.
func writeQuantiles(w io.Writer, q Quantiles) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "slowdown,share")
	for _, at := range q {
		fmt.Fprintf(out, "%s,%s\n", number(at.Slowdown), number(at.Share))
	}
	return out.Flush()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
