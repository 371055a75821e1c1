package collect

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// ActivityOptions say how activity files become rows. The zero value judges
// nothing but finds out the rest from the files.
type ActivityOptions struct {
	// StepSeconds is the length of a step; 0 takes 15 s, as L13 did, or the
	// interval of the records where that is longer.
	StepSeconds int64
	Metrics     []string         // of metric.Device, beside tps
	System      *topology.System // nil: what the files show
	Peers       topology.Peers   // who is compared with whom where System is nil
}

// Validate reports every setting that cannot work.
func (o *ActivityOptions) Validate() error {
	if o.StepSeconds < 0 {
		return fmt.Errorf("a step of %d s: at least 1 is needed, or 0 to let the records decide", o.StepSeconds)
	}
	return nil
}

// defaultStep is L13's (§4.2): long enough that a light load leaves values in
// most steps.
const defaultStep = 15

// Activity is a stream of rows from activity files.
type Activity struct {
	system   *topology.System
	schema   table.Schema
	pick     []int // for each metric of the schema its place in metric.Device
	servers  []*server
	now      *batch // given out
	ahead    *batch // being filled meanwhile
	filled   chan struct{}
	warnings []Warning
}

// OpenActivity opens the activity files among paths, which may be files and
// directories, of any number of servers and days.
func OpenActivity(paths []string, o ActivityOptions) (*Activity, error) {
	files, warnings, err := findActivity(paths)
	if err != nil {
		return nil, err
	}
	a := &Activity{system: o.System, warnings: warnings}
	if err := errors.Join(o.Validate(), a.chooseMetrics(o.Metrics)); err != nil {
		return nil, err
	}
	a.schema.StepSeconds = a.chooseStep(o.StepSeconds, files)
	if a.system == nil {
		if err := a.discover(files, o.Peers); err != nil {
			return nil, err
		}
	}
	a.schema.Components, a.schema.Servers = len(a.system.Components), len(a.system.Servers)
	if err := a.openServers(files); err != nil {
		return nil, err
	}
	a.now, a.ahead = newBatch(a.schema), newBatch(a.schema)
	a.readAhead()
	return a, nil
}

// discover takes the system to be what the files show.
func (a *Activity) discover(files []hostFiles, peers topology.Peers) error {
	seen, err := seenDevices(files)
	if err != nil {
		return err
	}
	var warnings []Warning
	a.system, warnings = topology.Discover(seen, peers)
	a.warnings = append(a.warnings, warnings...)
	switch {
	case len(seen) == 0:
		return fmt.Errorf("the files of %s hold no disks: have sadc record them (-S DISK)", hostNames(files))
	case len(a.system.Components) == 0:
		return fmt.Errorf("the files of %s hold nothing to compare: %s", hostNames(files), warnings[0].Text)
	}
	return nil
}

func hostNames(files []hostFiles) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.host
	}
	return topology.Fold(names)
}

// chooseMetrics puts tps first: it tells a busy device from an idle one.
func (a *Activity) chooseMetrics(names []string) error {
	for i, m := range metric.Device() {
		if m == metric.TPS || slices.Contains(names, m.Name) {
			a.schema.Metrics = append(a.schema.Metrics, m)
			a.pick = append(a.pick, i)
		}
	}
	for _, name := range names {
		if _, err := metric.Lookup(name); err != nil {
			return err
		}
	}
	a.schema.Load = metric.Index(a.schema.Metrics, metric.TPS.Name)
	return nil
}

// chooseStep takes the step that was asked for, or the shortest from 15 s on
// that the records of most hosts allow. Hosts that are sampled too seldom for
// it are named: most of their steps have no record.
func (a *Activity) chooseStep(asked int64, files []hostFiles) int64 {
	step := asked
	if asked == 0 {
		step = max(defaultStep, commonest(files))
	}
	if asked == 0 && step > defaultStep {
		a.warnings = append(a.warnings, Warning{Text: fmt.Sprintf("records are %d s apart, so steps are too, and everything takes %d times as long as at %d s; sample every %d s or more often", step, step/defaultStep, defaultStep, defaultStep)})
	}
	var slow []string
	longest := int64(0)
	for _, f := range files {
		if f.interval > step {
			slow = append(slow, f.host)
			longest = max(longest, f.interval)
		}
	}
	if len(slow) > 0 {
		a.warnings = append(a.warnings, Warning{Text: fmt.Sprintf("records of %s are up to %d s apart, farther than the step of %d s: most of their steps have no data; sample more often, or use --step %d", topology.Fold(slow), longest, step, longest)})
	}
	return step
}

// commonest is the median interval of the hosts whose interval is known.
func commonest(files []hostFiles) int64 {
	var intervals []int64
	for _, f := range files {
		if f.interval > 0 {
			intervals = append(intervals, f.interval)
		}
	}
	if len(intervals) == 0 {
		return 0
	}
	slices.Sort(intervals)
	return intervals[(len(intervals)-1)/2]
}

func (a *Activity) openServers(files []hostFiles) error {
	var errs []error
	taken := map[string]string{} // host by server
	for _, f := range files {
		name := serverName(f.host, a.system)
		if other, ok := taken[name]; ok {
			errs = append(errs, fmt.Errorf("files of %s and of %s are both of server %s: those of %s are left out; name the servers in full", other, f.host, name, f.host))
			continue
		}
		taken[name] = f.host
		s, err := openServer(name, f.paths, a)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		a.servers = append(a.servers, s)
	}
	if len(a.servers) == 0 {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		a.warnings = append(a.warnings, Warning{Text: err.Error()})
	}
	return nil
}

// System is what the rows are about.
func (a *Activity) System() *topology.System { return a.system }

// Schema says what the rows hold.
func (a *Activity) Schema() table.Schema { return a.schema }

// Close ends reading.
func (a *Activity) Close() error {
	<-a.filled
	a.ahead.empty, a.now.at = true, batchSteps
	var errs []error
	for _, s := range a.servers {
		errs = append(errs, s.records.Close())
	}
	return errors.Join(errs...)
}

// Next returns the next row. Rows are made a batch at a time, while the batch
// before is being used.
func (a *Activity) Next() (*table.Row, error) {
	for {
		if row := a.now.next(); row != nil {
			return row, nil
		}
		<-a.filled
		if a.ahead.empty {
			return nil, io.EOF
		}
		a.now, a.ahead = a.ahead, a.now
		a.readAhead()
	}
}

// readAhead fills the next batch, each server its own columns, on all cores.
// It lasts until a.filled is closed.
func (a *Activity) readAhead() {
	a.filled = make(chan struct{})
	go func() {
		defer close(a.filled)
		first, ok := a.nextStep()
		a.ahead.begin(first)
		if a.ahead.empty = !ok; ok {
			inParallel(a.servers, func(s *server) { s.fill(a.ahead) })
		}
	}()
}

// nextStep is the earliest step that any server still has.
func (a *Activity) nextStep() (first int64, ok bool) {
	inParallel(a.servers, func(s *server) { s.peek() })
	for _, s := range a.servers {
		if s.step != nil && (!ok || s.step.End < first) {
			first, ok = s.step.End, true
		}
	}
	return first / a.schema.StepSeconds, ok
}
