// This file makes drive hours from the rows of a diagnosis: from limpet's own recordings, or
// from tables that room ingest reads. source.go makes drive hours from drive records.

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
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/survey"
	"github.com/limpet-storage/limpet/topology"
)

// StepsOptions are the metrics of a study of rows, and the grouping of its drives.
type StepsOptions struct {
	// Group is the property that the drives of a group share.
	Group Grouping
	// Latency, IOs and Size are names of metrics. IOs and Size may be empty.
	Latency, IOs, Size string
	// Kind of all drives, because rows do not have it. If it is Unknown and drives
	// are grouped by ByAlike, NVMe devices are SSDs.
	Kind study.Kind
	// Requests is called for each group and hour with the latency histograms of the
	// drives' requests, if rows have them; may be nil.
	Requests func(hour, group int32, drives []survey.Drive)
}

// A Grouping is the property that the drives of a group share. Drives are compared within
// groups.
type Grouping string

// The groupings.
const (
	byPlace  Grouping = "place"  // array, or server if there is no array
	byServer Grouping = "server" // server
	byArray  Grouping = "array"  // array
	ByPeers  Grouping = "peers"  // peer group of a diagnosis
	ByAlike  Grouping = "alike"  // place, model and upgrade set
)

// DefaultStepsOptions returns the options for limpet's own recordings.
func DefaultStepsOptions() StepsOptions {
	return StepsOptions{Group: byPlace, Latency: metric.Await.Name, IOs: metric.TPS.Name, Size: metric.AvgRqSz.Name}
}

// Validate reports all invalid options.
func (o StepsOptions) Validate() error {
	var errs []error
	if !slices.Contains([]Grouping{byPlace, byServer, byArray, ByPeers, ByAlike}, o.Group) {
		errs = append(errs, fmt.Errorf("drives cannot be grouped by %q: use \"place\", \"server\", \"array\", \"peers\" or \"alike\"", o.Group))
	}
	if o.Latency == "" {
		errs = append(errs, errors.New("the metric for the latency is missing: name a metric"))
	}
	return errors.Join(errs...)
}

// Rows is a stream of drive hours from the rows of a diagnosis. The time of a step is its end;
// the step belongs to the hour in which it lies. The latency and size of an hour are means over
// requests, or over steps if requests are not counted. A LUN that several servers see is one
// drive; the values of the servers are added up.
type Rows struct {
	rows   table.Stream
	fleet  *study.Fleet
	member []int32 // by component: its drive; -1: no drive
	group  []int32 // by drive: its group
	order  []int32 // drives, sorted by group

	ios, latency, size column
	seen               []bool // by drive: a step of the hour has a value
	sums               []sum
	row                *table.Row // first row of the next hour, if it was already read
	hour               int32      // current hour
	of                 span       // time that the rows of the hour cover
	ended              bool
	folding            Folding

	hear     func(hour, group int32, drives []survey.Drive)
	requests []blklat.Histogram // by drive; nil if hear is not called
	heard    []survey.Drive     // drives of the current group
}

// A column is a metric of rows, and the factor for its values.
type column struct {
	metric int // index of the metric; -1: none
	scale  float64
}

// Fold returns the drive hours of rows. It does not close the stream of rows.
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
		return nil, fmt.Errorf("%s has %s, but no drive with a known %s; group the drives by server or place", system.Name, english.Count(len(system.Components), "component"), o.Group)
	}
	r.seen, r.sums = make([]bool, len(r.fleet.Drives)), make([]sum, len(r.fleet.Drives))
	if r.hear = o.Requests; r.hear != nil && rows.Schema().Latencies {
		r.requests = make([]blklat.Histogram, len(r.fleet.Drives))
	}
	return r, nil
}

// bind finds the metrics in the schema, and the factors of their units.
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

// list makes the fleet from the components of the system.
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
		// A drive in two groups counts as two drives, one in each group.
		key := group + "\x00" + name
		if _, ok := drives[key]; !ok {
			drives[key] = int32(len(r.fleet.Drives))
			r.fleet.Drives = append(r.fleet.Drives, study.Drive{Name: name, Kind: o.kindOf(c), Model: c.Model, Deployed: parseMade(c.Made)})
			r.group = append(r.group, groups[group])
			r.order = append(r.order, drives[key])
		}
		r.member = append(r.member, drives[key])
	}
	slices.SortStableFunc(r.order, func(a, b int32) int { return cmp.Compare(r.group[a], r.group[b]) })
}

func driveOf(c *topology.Component) string { return cmp.Or(c.LUN, c.Name) }

// of returns the name of a component's group; empty: none.
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

// kindOf returns the kind of a drive.
func (o *StepsOptions) kindOf(c *topology.Component) study.Kind {
	if o.Kind == study.Unknown && o.Group == ByAlike && nvme(c) != "" {
		return study.SSD
	}
	return o.Kind
}

// nvme returns "nvme" if the name of the device shows that it is an NVMe device, else "".
func nvme(c *topology.Component) string {
	if strings.HasPrefix(c.Device, "nvme") {
		return "nvme"
	}
	return ""
}

// parseMade reads the date at which a drive was made: 2021, 2021-03 or 2021-03-17. It returns
// the zero time for any other text.
func parseMade(text string) time.Time {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// Fleet returns the groups and drives of the rows. It does not change.
func (r *Rows) Fleet() *study.Fleet { return r.fleet }

// Folding returns the counts of the folded steps. They are complete after the last row.
func (r *Rows) Folding() Folding { return r.folding }

// Next replaces the rows of the batch with those of the next hour, or returns io.EOF.
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
		if !r.dropShortEdge() {
			r.hand(b)
		}
	}
	return nil
}

// fold adds up the rows of the next hour.
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

// add adds the values of a row to the sums. The row is valid until the next row is read.
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

// addRequests adds the latency histograms of a row to those of the hour.
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

// tell calls hear with the requests of the hour, once for each group.
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

// forget clears the requests of the hour.
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
