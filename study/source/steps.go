// This file makes drive hours of the rows of a diagnosis: of limpet's own
// recordings, or of tables that collect reads.
//
// In the stream it stands beside source, which makes them of drive records.

package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/survey"
	"github.com/limpet-storage/limpet/topology"
)

// StepsOptions say what of a diagnosis' rows is studied, and which drives are a
// group.
type StepsOptions struct {
	// Group is what drives share.
	Group Grouping
	// Latency, IOs and Size are metrics; the latter two may be empty.
	Latency, IOs, Size string
	// Kind of all drives: rows do not tell. Where it is unknown and drives are
	// grouped as alike, NVMe devices are SSDs.
	Kind study.Kind
	// Requests hears how long the requests of a group's drives took in an hour,
	// where rows have latencies; nil: nobody.
	Requests func(hour, group int32, drives []survey.Drive)
}

// A Grouping says which drives are held against each other.
type Grouping string

// The groupings.
const (
	byPlace  Grouping = "place"  // those of an array, or of a server where there is none
	byServer Grouping = "server" // those of a server
	byArray  Grouping = "array"  // those of an array
	ByPeers  Grouping = "peers"  // the peer groups of a diagnosis
	ByAlike  Grouping = "alike"  // those of a place that have the same model and upgrade set
)

// DefaultStepsOptions are those of limpet's own recordings.
func DefaultStepsOptions() StepsOptions {
	return StepsOptions{Group: byPlace, Latency: metric.Await.Name, IOs: metric.TPS.Name, Size: metric.AvgRqSz.Name}
}

// Validate reports everything that cannot be studied.
func (o StepsOptions) Validate() error {
	var errs []error
	if !slices.Contains([]Grouping{byPlace, byServer, byArray, ByPeers, ByAlike}, o.Group) {
		errs = append(errs, fmt.Errorf("drives cannot be grouped by %q: use place, server, array, peers or alike", o.Group))
	}
	if o.Latency == "" {
		errs = append(errs, errors.New("no metric is named as the latency: name a metric"))
	}
	return errors.Join(errs...)
}

// Rows is a stream of drive hours made of the rows of a diagnosis: limpet's
// own recordings, or tables that collect reads. A step belongs to the hour in
// which it lies, whose end is its time; the hour's latency and size are the means over requests, or
// over steps where requests are not counted. A LUN that several servers see is
// one drive, and what they saw is added up.
type Rows struct {
	rows   table.Stream
	fleet  *study.Fleet
	member []int32 // by component: its drive, -1 where it is none
	group  []int32 // by drive
	order  []int32 // drives, by group

	ios, latency, size column
	seen               []bool // by drive: a step of the hour has a value
	sums               []sum
	row                *table.Row // pending, of the hour that comes next
	hour               int32
	of                 span
	ended              bool
	folding            Folding

	hear     func(hour, group int32, drives []survey.Drive)
	requests []blklat.Histogram // by drive; nil where nobody hears
	heard    []survey.Drive     // of the group at hand
}

// A column is a metric of rows, and what its values are multiplied by.
type column struct {
	metric int // its place; -1: none
	scale  float64
}

// Fold folds rows to hours. The stream is not closed.
func Fold(rows table.Stream, system *topology.System, o StepsOptions) (*Rows, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &Rows{rows: rows, fleet: &study.Fleet{}}
	if err := r.bind(rows.Schema(), o); err != nil {
		return nil, err
	}
	r.list(system, o)
	if len(r.fleet.Drives) == 0 {
		return nil, fmt.Errorf("%s: none of the %d components is a drive whose %s is known; group the drives by server or place", system.Name, len(system.Components), o.Group)
	}
	r.seen, r.sums = make([]bool, len(r.fleet.Drives)), make([]sum, len(r.fleet.Drives))
	if r.hear = o.Requests; r.hear != nil && rows.Schema().Latencies {
		r.requests = make([]blklat.Histogram, len(r.fleet.Drives))
	}
	return r, nil
}

// bind finds the metrics and their units.
func (r *Rows) bind(s table.Schema, o StepsOptions) error {
	var errs [3]error
	r.latency, errs[0] = bindMetric(s, o.Latency, latencyUnits)
	r.ios, errs[1] = bindMetric(s, o.IOs, map[string]float64{"1/s": float64(s.StepSeconds)})
	r.size, errs[2] = bindMetric(s, o.Size, sizeUnits)
	return errors.Join(errs[:]...)
}

func bindMetric(s table.Schema, name string, units map[string]float64) (column, error) {
	at := metric.Index(s.Metrics, name)
	if name == "" {
		return column{metric: -1}, nil
	}
	if at < 0 {
		return column{}, fmt.Errorf("the data have no metric %s; add data that have this metric, or name another metric", name)
	}
	scale, ok := units[s.Metrics[at].Unit]
	if !ok {
		return column{}, fmt.Errorf("metric %s has the unknown unit %q; use one of %v", name, s.Metrics[at].Unit, slices.Sorted(maps.Keys(units)))
	}
	return column{at, scale}, nil
}

// list makes a fleet of the system.
func (r *Rows) list(system *topology.System, o StepsOptions) {
	groups, drives := make(map[string]int32), make(map[string]int32)
	for i := range system.Components {
		c := &system.Components[i]
		name, group := driveOf(c), o.Group.of(c, system)
		if c.Kind != topology.Attachment || group == "" {
			r.member = append(r.member, -1)
			continue
		}
		if _, ok := groups[group]; !ok {
			groups[group] = int32(len(r.fleet.Groups))
			r.fleet.Groups = append(r.fleet.Groups, group)
		}
		// A drive of two groups is one in each.
		key := group + "\x00" + name
		if _, ok := drives[key]; !ok {
			drives[key] = int32(len(r.fleet.Drives))
			r.fleet.Drives = append(r.fleet.Drives, study.Drive{Name: name, Kind: o.kindOf(c), Model: c.Model, Deployed: madeSteps(c.Made)})
			r.group = append(r.group, groups[group])
			r.order = append(r.order, drives[key])
		}
		r.member = append(r.member, drives[key])
	}
	slices.SortStableFunc(r.order, func(a, b int32) int { return cmp.Compare(r.group[a], r.group[b]) })
}

func driveOf(c *topology.Component) string { return cmp.Or(c.LUN, c.Name) }

// of is the group of a component, empty where it has none.
func (g Grouping) of(c *topology.Component, system *topology.System) string {
	switch g {
	case byServer:
		return c.Server
	case byArray:
		return c.Array
	case ByPeers:
		return system.Groups[c.Group-1].Name
	case ByAlike:
		return strings.Join(strings.Fields(cmp.Or(c.Array, c.Server)+" "+c.Model+" "+c.Set+" "+nvme(c)), " ")
	}
	return cmp.Or(c.Array, c.Server)
}

// kindOf is what a drive is.
func (o *StepsOptions) kindOf(c *topology.Component) study.Kind {
	if o.Kind == study.Unknown && o.Group == ByAlike && nvme(c) != "" {
		return study.SSD
	}
	return o.Kind
}

// nvme is the word for devices that are SSDs by their name.
func nvme(c *topology.Component) string {
	if strings.HasPrefix(c.Device, "nvme") {
		return "nvme"
	}
	return ""
}

// madeSteps is when a drive was made, which its age is counted from: 2021, 2021-03 or
// 2021-03-17. It is zero where that is not known.
func madeSteps(text string) time.Time {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// Fleet is who the rows are about; it does not change.
func (r *Rows) Fleet() *study.Fleet { return r.fleet }

// Folding tells what became of the steps of drives, once all have been read.
func (r *Rows) Folding() Folding { return r.folding }

// Next replaces the batch's rows by those of the next hour, or returns io.EOF.
func (r *Rows) Next(b *study.Batch) error {
	b.Reset()
	b.Direction = study.All
	for b.Len() == 0 {
		if r.ended {
			return io.EOF
		}
		if err := r.fold(); err != nil {
			return err
		}
		if !r.touches() {
			r.hand(b)
		}
	}
	return nil
}

// fold adds up the rows of an hour.
func (r *Rows) fold() error {
	clear(r.seen)
	clear(r.sums)
	for first := true; ; first = false {
		if r.row == nil {
			row, err := r.rows.Next()
			if r.ended = err == io.EOF; r.ended {
				return nil
			}
			if err != nil {
				return err
			}
			r.row = row
		}
		hour := int32((r.row.End - 1) / hourSeconds)
		if first {
			r.hour, r.of = hour, span{from: r.row.End - r.rows.Schema().StepSeconds, records: r.folding.Records}
		} else if hour != r.hour {
			return nil
		}
		r.of.to = r.row.End
		r.add(r.row)
		r.addRequests(r.row)
		r.row = nil
	}
}

// add takes a row, which is valid until the next one is read.
func (r *Rows) add(row *table.Row) {
	for c, drive := range r.member {
		if drive < 0 {
			continue
		}
		ios, latency, size := r.ios.of(row, c), r.latency.of(row, c), r.size.of(row, c)
		if ios == ios || latency == latency || size == size {
			r.seen[drive] = true
			r.sums[drive].Add(ios, latency, size)
			r.folding.Records++
		}
	}
}

// addRequests adds the requests of a row to those of the hour.
func (r *Rows) addRequests(row *table.Row) {
	if r.requests == nil || row.Latency == nil {
		return
	}
	for c, drive := range r.member {
		if l := row.Latency[c]; drive >= 0 && l != nil {
			for op := range l {
				r.requests[drive].Add(l[op].Device)
			}
		}
	}
}

// tell hands out the requests of the hour, group by group.
func (r *Rows) tell() {
	defer r.forget()
	for i, drive := range r.order {
		if h := r.requests[drive]; len(h) > 0 {
			r.heard = append(r.heard, survey.Drive{Drive: drive, Requests: h})
		}
		if last := i+1 == len(r.order); last || r.group[r.order[i+1]] != r.group[drive] {
			if len(r.heard) > 0 {
				r.hear(r.hour, r.group[drive], r.heard)
			}
			r.heard = r.heard[:0]
		}
	}
}

// forget forgets the requests of the hour.
func (r *Rows) forget() {
	for drive := range r.requests {
		r.requests[drive] = r.requests[drive][:0]
	}
}

func (c column) of(row *table.Row, component int) float32 {
	if c.metric < 0 {
		return missing
	}
	return float32(row.Values[c.metric][component] * c.scale)
}

func (r *Rows) hand(b *study.Batch) {
	if r.requests != nil {
		r.tell()
	}
	for _, drive := range r.order {
		if !r.seen[drive] {
			continue
		}
		sum := &r.sums[drive]
		r.folding.Hours++
		b.Hour, b.Group, b.Drive = append(b.Hour, r.hour), append(b.Group, r.group[drive]), append(b.Drive, drive)
		b.IOs = append(b.IOs, sum.IOs(false))
		b.Latency = append(b.Latency, sum.Latency())
		b.Size = append(b.Size, sum.Size())
	}
}
