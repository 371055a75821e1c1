package capacity

import (
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of this detector.
type Options struct {
	// SteadyShare is the largest deviation of a throttled rate from its mean, as a share of the
	// mean. If a rate deviates more, it is not throttled.
	SteadyShare float64 `json:"steady_share" above:"0" below:"1"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reasons.
func DefaultOptions() Options { return Options{SteadyShare: 0.02} }

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error { return bounds.Check(*o) }

const (
	// minuteSeconds is the time between two remembered values of the free bytes of a file system.
	minuteSeconds = 60
	// fullShare is the share of free space at which a file system counts as full, even if its free
	// space does not shrink. File systems reserve about this share for themselves, so writes begin
	// to fail.
	fullShare = 0.01
	// weekSeconds is the length of a week. A file system counts as filling only if, at its present
	// rate, it will be full within a week. If a file system takes longer, it gets hardly any
	// writes, for example because it is an archive that was filled on purpose.
	weekSeconds = 7 * 86400
)

// Detector finds components that have reached a limit.
type Detector struct {
	opts     Options
	criteria criteria.Options
	places   *blame.Map
	step     int64
	columns  columns
	drives   map[int]*drive // by component; only components of servers whose recorder measures free space
	drivesOf [][]int        // by server: its drives
}

// columns has the indexes of metrics in table.Row.Values; -1 if rows do not have the metric.
type columns struct{ tps, read, written, await int }

// drive holds the measurements of one component.
type drive struct {
	last       int64             // Unix time of the last row with data of its server
	room       table.DriveGauges // the last measurement of space and temperature; its Bytes are 0 if the component has no file system
	measuredAt int64             // Unix time of the measurement in the field `room`
	since      int64             // Unix time since which the component has been near a limit of space or temperature; 0 if it is near no limit
	free       []float64         // free bytes at the ends of the last minutes, oldest first
	minute     int64             // number of the minute to which the last value of the field `free` belongs
	marks      [2]mark           // share of free space at two times that are an hour apart, the older time first; the newer time is at most an hour ago
	full       bool              // the file system was nearly full at the last measurement
	judged     bool              // its server sent data in the last tick
	rate       throttle
}

// mark is the share of free space of a file system at one time.
type mark struct {
	time  int64 // Unix time; 0 if the mark is empty
	share float64
}

// New returns a detector for the rows of a schema.
func New(o Options, c criteria.Options, m *blame.Map, schema table.Schema) *Detector {
	at := func(of metric.Metric) int { return metric.Index(schema.Metrics, of.Name) }
	d := &Detector{
		opts: o, criteria: c, places: m, step: schema.StepSeconds, drives: map[int]*drive{},
		columns:  columns{at(metric.TPS), at(metric.RdSec), at(metric.WrSec), at(metric.Await)},
		drivesOf: make([][]int, len(m.System.Servers)),
	}
	for c, s := range m.ServerOf {
		if s >= 0 && m.Component(c).Kind == topology.Attachment {
			d.drivesOf[s] = append(d.drivesOf[s], c)
		}
	}
	return d
}

// Row adds the measurements in the next row to the record of each component.
func (d *Detector) Row(row *table.Row) {
	for s := range row.Gauges {
		x := &row.Gauges[s]
		if !x.Known {
			continue
		}
		for _, c := range d.drivesOf[s] {
			v := d.driveOf(c)
			v.last = row.End
			v.rate.add(d.columns, row, c)
		}
		for i := range x.Drives {
			d.addMeasurement(&x.Drives[i], row.End)
		}
	}
}

// driveOf returns the record of a component. If there is none yet, it adds an empty record.
func (d *Detector) driveOf(c int) *drive {
	v := d.drives[c]
	if v == nil {
		v = &drive{room: table.DriveGauges{Component: c, Hot: table.Missing}}
		d.drives[c] = v
	}
	return v
}

// addMeasurement adds a measurement of the free space and the temperature of a component.
func (d *Detector) addMeasurement(r *table.DriveGauges, now int64) {
	v := d.driveOf(r.Component)
	v.markHour(r.FreeShare(), now, d.criteria.SameCauseSeconds)
	v.room, v.measuredAt = *r, now
	if m := now / minuteSeconds; r.Bytes > 0 && m != v.minute {
		if m != v.minute+1 { // there was no measurement for at least one minute
			v.free = v.free[:0]
		}
		v.minute, v.free = m, append(v.free, r.Free)
		if n := len(v.free) - int(d.criteria.SameCauseSeconds/minuteSeconds) - 1; n > 0 {
			v.free = slices.Delete(v.free, 0, n)
		}
	}
	kind, _ := d.limitOf(v)
	if v.full = kind == finding.FullFileSystem; kind == "" {
		v.since = 0
	} else if v.since == 0 {
		v.since = now
	}
}

// markHour stores the share of free space (mark) if the last mark is at least an hour old. If there
// was no measurement for an hour, it first deletes the marks. The parameter `hour` is the length of
// an hour in seconds.
func (v *drive) markHour(share float64, now, hour int64) {
	if now-v.measuredAt > hour {
		v.marks = [2]mark{}
	}
	if now-v.marks[1].time >= hour {
		v.marks = [2]mark{v.marks[1], {now, share}}
	}
}

// isFilling predicts whether a file system will be full within a week. It assumes that the free
// space goes on shrinking as fast as it has since the older mark. A mark is the share of free space
// at one time, and the older mark is at most about two hours old.
func (v *drive) isFilling() bool {
	from := v.marks[0]
	if from.time == 0 {
		from = v.marks[1]
	}
	seconds, share := float64(v.measuredAt-from.time), v.room.FreeShare()
	fell := from.share - share
	return from.time > 0 && fell > 0 && seconds >= minuteSeconds && share/fell*seconds <= weekSeconds
}

// limitOf returns the kind of limit that a component is near: free space or temperature. The kind
// is empty if the component is near no limit. The second result is secondsUntilFull for a file
// system that is nearly full, and 0 otherwise.
func (d *Detector) limitOf(v *drive) (finding.Kind, float64) {
	left, share := v.secondsUntilFull(), v.room.FreeShare()
	few := share <= d.criteria.FewShare && (v.full || v.isFilling()) || share <= fullShare
	switch {
	case few || left > 0 && left <= float64(d.criteria.OverSeconds):
		return finding.FullFileSystem, left
	case v.room.Hot >= 0 || v.room.Alarm:
		return finding.Overheated, 0
	}
	return "", 0
}

// secondsUntilFull returns the number of seconds until a file system is full, at the mean rate of
// the remembered minutes. It returns 0 if the time cannot be predicted: less than half an hour is
// remembered, or the free bytes grew in one of these minutes.
func (v *drive) secondsUntilFull() float64 {
	n := len(v.free)
	if n < 31 || !(v.free[0] > v.free[n-1]) {
		return 0
	}
	for i := 1; i < n; i++ {
		if v.free[i] > v.free[i-1] {
			return 0
		}
	}
	perSecond := (v.free[0] - v.free[n-1]) / float64((n-1)*minuteSeconds)
	return max(v.room.Free/perSecond, 1)
}

// Tick returns the findings, at most one for each component. The parameter `now` is the present
// Unix time, and `seconds` is the number of seconds since the previous tick.
func (d *Detector) Tick(now, seconds int64) []finding.Finding {
	var found []finding.Finding
	for _, c := range slices.Sorted(maps.Keys(d.drives)) {
		v := d.drives[c]
		limited := v.rate.tick(d.columns, d.opts, &d.criteria)
		v.judged = d.hasData(v, now, seconds)
		switch kind, left := d.limitOf(v); {
		case !v.judged:
		case kind != "":
			found = append(found, d.limitFinding(c, v, kind, left))
		case limited:
			found = append(found, d.throttleFinding(c, v, now, seconds))
		}
	}
	return found
}

// hasData reports whether the server of a component sent data in the last tick.
func (d *Detector) hasData(v *drive, now, seconds int64) bool {
	return v.last > now-max(seconds, d.step)
}

// limitFinding makes the finding about a file system that is nearly full, or about a drive that is
// too hot. The parameter `left` is the number of seconds until the file system is full; 0 if
// unknown.
func (d *Detector) limitFinding(c int, v *drive, kind finding.Kind, left float64) finding.Finding {
	f := d.finding(c, kind, v.since)
	r := &v.room
	entry := func(name, unit string, own, peers, score, threshold float64) {
		f.Evidence = append(f.Evidence, finding.Evidence{
			Metric: name, Component: c, Decides: score >= threshold, Unit: unit, Own: own, Peers: peers, Score: score, Threshold: threshold,
			Scale: finding.ShareUsed, From: v.since, To: v.measuredAt,
		})
	}
	if kind == finding.Overheated {
		f.Evidence = append(f.Evidence, finding.Evidence{
			Metric: finding.Heat, Component: c, Decides: true, Unit: "K", Own: r.Hot, Peers: table.Missing, Score: max(r.Hot, 0), Scale: finding.Distance, From: v.since, To: v.measuredAt,
		})
		return f
	}
	const mega = 1e6
	threshold := 1 - d.criteria.FewShare
	entry(finding.FreeBytes, "MB", r.Free/mega, r.Bytes/mega, 1-r.Free/max(r.Bytes, 1), threshold)
	if r.Files > 0 {
		entry(finding.FreeInodes, "", r.FreeFiles, r.Files, 1-r.FreeFiles/r.Files, threshold)
	}
	if left > 0 {
		entry(finding.FullIn, "s", left, table.Missing, 0, 0)
	}
	f.Members[0].Own, f.Members[0].Worst = r.FreeShare(), (1-r.FreeShare())/threshold
	return f
}

// finding makes a finding about one component.
func (d *Detector) finding(c int, kind finding.Kind, since int64) finding.Finding {
	onset := finding.Onset{At: since, Early: since - minuteSeconds, Late: since}
	return finding.Finding{
		Class: finding.Capacity, Kind: kind, Place: d.places.PlaceIfAlone(c), Judged: 1, Onset: onset, Sure: true, Certain: true, Amount: 1,
		Members: []finding.Member{{Component: c, Role: finding.AtFault, Odd: true, Windows: 1, Worst: 1, Since: since}},
	}
}

// Judged reports whether the server of a component sent data in the last tick.
func (d *Detector) Judged(c int) bool { return d.drives[c] != nil && d.drives[c].judged }

// Forget deletes the measurements of a component.
func (d *Detector) Forget(c int) { delete(d.drives, c) }

// State writes or reads the measurements of all components.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.ByIndex(c, axes.Components, &d.drives, func(c *state.Codec, v **drive) {
		if *v == nil {
			*v = &drive{}
		}
		(*v).state(c)
	})
}

func (v *drive) state(c *state.Codec) {
	for _, at := range []*int64{&v.last, &v.measuredAt, &v.since, &v.minute} {
		state.Int(c, at)
	}
	for _, x := range []*float64{&v.room.Bytes, &v.room.Free, &v.room.Files, &v.room.FreeFiles, &v.room.Hot} {
		c.Float(x)
	}
	c.Bool(&v.room.Alarm)
	c.Bool(&v.full)
	c.Bool(&v.judged)
	for i := range v.marks {
		state.Int(c, &v.marks[i].time)
		c.Float(&v.marks[i].share)
	}
	state.List(c, &v.free, (*state.Codec).Float)
	v.rate.state(c)
}
