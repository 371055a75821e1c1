package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// quantiles are the quantiles in reports.
var quantiles = []struct {
	name  string
	share float64
}{
	{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}, {"max", 1},
}

// tail is the quantile by which policies are compared.
const tail = 0.999

// WriteText prints the result for a terminal.
func (res *Result) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n\n", res.subtitle())
	if err := errors.Join(res.textLatencies(out), res.textSlowdowns(out)); err != nil {
		return err
	}
	for _, r := range res.Runs {
		fmt.Fprintf(out, "%s\n", r.Policy)
	}
	for _, text := range res.Warnings {
		fmt.Fprintf(out, "\nNote: %s.\n", text)
	}
	return out.Flush()
}

func (res *Result) textLatencies(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "latency, ms\t%sp99.9 / fault-free p99.9\textra reads\tbypassed\t\n", heads())
	for i, r := range res.rows() {
		fmt.Fprintf(t, "%s\t", res.name(i))
		for _, q := range quantiles {
			fmt.Fprintf(t, "%s\t", millis(r.Latency(q.share)))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t\n", ratio(r.Against(res.FaultFree, tail)), percent(r.Extra()), sum(r.Counters.Bypassed))
	}
	return closeTable(t, w)
}

func (res *Result) textSlowdowns(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "latency / latency without slow drives\t%s\n", heads())
	for _, r := range res.Runs {
		fmt.Fprintf(t, "%s\t", r.Policy.Kind)
		for _, x := range r.slowdowns(res.FaultFree) {
			fmt.Fprintf(t, "%s\t", ratio(x))
		}
		fmt.Fprint(t, "\n")
	}
	return closeTable(t, w)
}

// closeTable writes a table and an empty line after it.
func closeTable(t *tabwriter.Writer, w io.Writer) error {
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// heads returns the names of the quantiles as cells of a table.
func heads() string {
	var b strings.Builder
	for _, q := range quantiles {
		b.WriteString(q.name + "\t")
	}
	return b.String()
}

// rows returns all runs; the first has no slow drives.
func (res *Result) rows() []*Run { return append([]*Run{res.FaultFree}, res.Runs...) }

func (res *Result) name(row int) string {
	if row == 0 {
		return "fault-free"
	}
	return string(res.Runs[row-1].Policy.Kind)
}

// subtitle returns the trace, the drives and the way of the replay in one line.
func (res *Result) subtitle() string {
	o := &res.Options
	how := fmt.Sprintf("at %g times the speed of the trace", o.Speed)
	switch {
	case o.Depth > 0:
		how = fmt.Sprintf("requests at the same time: %d", o.Depth)
	case o.Speed == 1:
		how = "at the times of the trace"
	}
	where := "on real drives"
	if res.Virtual {
		where = fmt.Sprintf("simulated (%s, seed %d)", o.Drive, o.Seed)
	}
	return fmt.Sprintf("%s: %d reads from %d data drives and %d parity drives, %s, %s, slowed down by %s",
		res.Trace, res.FaultFree.Reads(), o.Layout.Data, o.Layout.Parity, how, where, o.Distribution)
}

// slowdowns returns the quantiles of the slowdowns of all reads.
func (r *Run) slowdowns(faultFree *Run) []float64 {
	all := r.Slowdowns(faultFree)
	at := make([]float64, len(quantiles))
	for i, q := range quantiles {
		if len(all) > 0 {
			at[i] = all[rank(q.share, len(all))]
		}
	}
	return at
}

// millis returns a time in milliseconds with three significant digits.
func millis(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	switch {
	case v < 1:
		return strconv.FormatFloat(v, 'f', 3, 64)
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func ratio(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + " %" }

func sum(counts []uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}
