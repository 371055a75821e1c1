package replay

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"
)

// WriteCSV writes a line for the run without slow drives, and a line for each policy. Times are in
// seconds. extra_share is the number of extra reads for each needed read.
func (res *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"policy", "distribution", "reads"}
	for _, q := range quantiles {
		header = append(header, "latency_"+q.name)
	}
	for _, q := range quantiles {
		header = append(header, "slowdown_"+q.name)
	}
	header = append(header, "p99.9_times_fault_free", "member_reads", "extra_reads", "extra_share", "failed")
	for m := range res.Options.Layout.members() {
		header = append(header, fmt.Sprintf("bypassed_%d", m))
	}
	lines := [][]string{header}
	for i, r := range res.rows() {
		lines = append(lines, res.line(i, r))
	}
	return out.WriteAll(lines)
}

func (res *Result) line(row int, r *Run) []string {
	name, distribution := r.Policy.String(), res.Options.Distribution.String()
	if row == 0 {
		name, distribution = "fault-free", "none"
	}
	line := []string{name, distribution, strconv.Itoa(r.Reads())}
	for _, q := range quantiles {
		line = append(line, seconds(r.Latency(q.share)))
	}
	for _, x := range r.slowdowns(res.FaultFree) {
		line = append(line, figure(x))
	}
	c := &r.Counters
	line = append(line, figure(r.Against(res.FaultFree, tail)), count(c.Reads), count(c.Extra), figure(r.Extra()), count(c.Failed))
	for _, n := range c.Bypassed {
		line = append(line, count(n))
	}
	return line
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
func figure(v float64) string        { return strconv.FormatFloat(v, 'f', 6, 64) }
func count(n uint64) string          { return strconv.FormatUint(n, 10) }
