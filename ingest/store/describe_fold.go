package store

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A Series has the labels and samples of one series. The samples are in time order.
type Series struct {
	Labels  []exporter.Label
	Samples []exporter.Sample
}

func (s *Series) label(name string) string {
	for _, l := range s.Labels {
		if string(l.Name) == name {
			return string(l.Value)
		}
	}
	return ""
}

// A Line has the values of one component at one time.
type Line struct {
	Time   int64     // in ms since 1970
	Names  []string  // one name for each column of names
	Values []float64 // one value for each metric; NaN if missing
}

// If two samples of a counter are at most longestGapMs milliseconds apart, their difference is
// used. Otherwise the difference is not used. After five minutes without a sample, Prometheus also
// regards a series as ended.
const longestGapMs = 300_000

// Lines returns the lines of a period. The caller passes the first time of the period and the first
// time after the period, both in ms since 1970. The lines are sorted by time and name. A series is
// left out if its labels give no name of a component or of a group.
func (d *Description) Lines(all []Series, from, to int64) []Line {
	parts := map[string]*component{}
	for i := range all {
		s := &all[i]
		names := make([]string, len(d.named))
		for k := range d.named {
			names[k] = d.named[k].text.Fill(s.label)
		}
		if names[0] == "" || names[1] == "" {
			continue
		}
		key := strings.Join(names, "\x00")
		if parts[key] == nil {
			parts[key] = &component{names: names}
		}
		parts[key].series = append(parts[key].series, s)
	}
	var lines []Line
	for _, c := range parts {
		lines = d.fold(lines, c, from, to)
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), slices.Compare(a.Names, b.Names))
	})
	return lines
}

// A component holds all series that belong to one component. Two series belong to the same
// component if the names that are made from their labels are equal (component.names).
type component struct {
	names  []string
	series []*Series
}

// fold appends the lines of component c to the given lines.
func (d *Description) fold(lines []Line, c *component, from, to int64) []Line {
	var times []int64
	for _, s := range c.series {
		for _, x := range s.Samples {
			times = append(times, x.Time)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	sums := make([][]float64, len(d.picks))
	for i := range d.picks {
		sums[i] = d.picks[i].sum(c.series, times)
	}
	for k, t := range times {
		if t < from || t >= to {
			continue
		}
		line := Line{Time: t, Names: c.names, Values: make([]float64, len(d.metrics))}
		some := false
		for m := range d.metrics {
			line.Values[m] = d.metrics[m].value(sums, k)
			some = some || !math.IsNaN(line.Values[m])
		}
		if some {
			lines = append(lines, line)
		}
	}
	return lines
}

// sum returns one sum for each time: the sum of the numbers (see pick.number) of the series that
// the pick selects. The sum is NaN if no series has a number at this time, or if a counter has
// decreased.
func (p *pick) sum(list []*Series, times []int64) []float64 {
	sum := make([]float64, len(times))
	heard := make([]bool, len(times))
	for _, s := range list {
		if !p.matches(s) {
			continue
		}
		for i, x := range s.Samples {
			v, ok := p.number(s.Samples, i)
			if !ok {
				continue
			}
			k, _ := slices.BinarySearch(times, x.Time)
			sum[k] += v
			heard[k] = true
		}
	}
	for k := range sum {
		if !heard[k] {
			sum[k] = math.NaN()
		}
	}
	return sum
}

func (p *pick) matches(s *Series) bool {
	if s.label("__name__") != p.name {
		return false
	}
	for _, m := range p.labels {
		if s.label(m.Name) != m.Value {
			return false
		}
	}
	return true
}

// number returns the number that the i-th sample adds to the sum. The second result is false if the
// sample adds no number. The number is NaN if the counter has decreased.
func (p *pick) number(samples []exporter.Sample, i int) (float64, bool) {
	x := samples[i]
	if p.use == asGauge {
		return x.Value, !math.IsNaN(x.Value)
	}
	if i == 0 || math.IsNaN(x.Value) || math.IsNaN(samples[i-1].Value) {
		return 0, false
	}
	before := samples[i-1]
	apart := x.Time - before.Time
	switch v := x.Value - before.Value; {
	case apart <= 0 || apart > longestGapMs:
		return 0, false
	case v < 0:
		return math.NaN(), true
	case p.use == asRate:
		return v * 1000 / float64(apart), true
	default:
		return v, true
	}
}

// value returns the value of the metric at the k-th time. sums[p][k] is the sum of the series of
// pick p at this time.
func (m *metric) value(sums [][]float64, k int) float64 {
	of := total(sums, m.of, k)
	if m.per == nil {
		return of * m.times
	}
	per := total(sums, m.per, k)
	if per == 0 {
		return 0 // the component had no requests
	}
	return of / per * m.times
}

func total(sums [][]float64, picks []int, k int) (v float64) {
	for _, p := range picks {
		v += sums[p][k]
	}
	return v
}

// Write writes lines as CSV with a header.
func (d *Description) Write(w io.Writer, lines []Line) error {
	out := csv.NewWriter(w)
	header := []string{"time"}
	for _, n := range d.named {
		header = append(header, n.column)
	}
	for _, m := range d.metrics {
		header = append(header, m.Name)
	}
	if err := out.Write(header); err != nil {
		return err
	}
	var record []string
	for _, l := range lines {
		record = append(record[:0], strconv.FormatInt(l.Time, 10))
		record = append(record, l.Names...)
		for _, v := range l.Values {
			record = append(record, number(v))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// number formats a value exactly. It returns an empty text for a missing value.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Tables returns the description of the tables that Write writes. It has the format of
// package ingest/tables.
func (d *Description) Tables() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "name: %s\nfiles: \"*.csv\"\nseparator: \",\"\ntime: {column: time, format: unix_ms}\n", strconv.Quote(d.Name))
	for _, n := range d.named {
		fmt.Fprintf(&b, "%s: %s\n", n.column, n.column)
	}
	fmt.Fprintf(&b, "absence: %s\nmetrics:\n", d.absence)
	for _, m := range d.metrics {
		fmt.Fprintf(&b, "  %s: {worse: %s", strconv.Quote(m.Name), strconv.Quote(m.worse))
		for _, pair := range [][2]string{{"unit", m.unit}, {"noise", m.noise}, {"mean", m.mean}} {
			if pair[1] != "" {
				fmt.Fprintf(&b, ", %s: %s", pair[0], strconv.Quote(pair[1]))
			}
		}
		if m.load {
			b.WriteString(", load: \"true\"")
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}
