package activity

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// Local is an ingest.Source of rows that are made directly from the samples of this machine,
// without a file. Take makes a row as soon as a sample ends a step. [Follow] waits for the next
// step, because a later record may replace the last record of the step if the clock is set back. As
// long as the clock is not set back, a Local makes the same rows as Follow and Open make from these
// samples in a file.
//
// A sampling goroutine calls Take, and another goroutine calls Next.
type Local struct {
	opts      Options
	host      string
	latencies bool // true if samples have the latencies of requests; only the goroutine that calls Take uses it
	rows      chan madeRow
	ended     chan struct{}
	err       error // error that Next returns after the last row; set before ended is closed

	// Only the goroutine that calls Take uses the fields below.
	inventory *sysstat.Inventory
	lines     []string
	devices   map[device]bool
	plan      *plan // nil until the first sample with a device
	disks     disks
	times     latencies
	upkeep    upkeep
	fold      *table.Fold
	lastEnd   int64 // end of the last row

	current *plan // plan of the last row that Next returned; only the goroutine that calls Next uses it
	waiting *table.Row
}

// madeRow is a row, and the plan (system and metrics) with which the row was made.
type madeRow struct {
	plan *plan
	row  *table.Row
}

// mostWaiting is the largest number of rows that wait for Next. If this number of rows wait, Take
// drops each further row.
const mostWaiting = 64

// NewLocal returns a source for the samples of this machine. Its step is o.StepSeconds, or 1 s if
// o.StepSeconds is 0. The parameter `host` is the name of this machine in the topology.
func NewLocal(host string, o Options) (*Local, error) {
	if o.StepSeconds == 0 {
		o.StepSeconds = 1
	}
	var check plan
	if err := errors.Join(o.Validate(), check.ChooseMetrics(o.Metrics)); err != nil {
		return nil, err
	}
	if o.System != nil {
		host = serverName(host, o.System)
	}
	return &Local{
		opts: o, host: host, rows: make(chan madeRow, mostWaiting), ended: make(chan struct{}),
		inventory: &sysstat.Inventory{}, devices: map[device]bool{},
	}, nil
}

// Take makes a row of a sample, if the sample ends a step. The parameter `list` has the counters of
// the disks. The parameter `latencies` has the latencies of the requests since the previous sample,
// as package blklat encodes them; it is nil if requests are not measured. The parameter `inventory`
// has the descriptions of the devices, in the form of the comments in an activity file.
func (l *Local) Take(at time.Time, uptime uint64, list []sysstat.Disk, latencies []byte, inventory []string) {
	l.latencies = l.opts.Latencies && latencies != nil
	l.describe(inventory)
	if l.isNew(list) {
		l.renew()
	}
	if l.plan == nil {
		return
	}
	end := table.StepOf(at.Unix(), l.opts.StepSeconds) * l.opts.StepSeconds
	if l.times.wanted {
		l.times.take(latencies, end)
	}
	l.upkeep.Read(end)
	r := l.fold.Reading()
	r.Time, r.Uptime = at.Unix(), uptime
	l.disks.take(list, false, r)
	l.fold.Close()
	// Only a sample at the exact end of a step closes the step.
	if at.Unix()%l.opts.StepSeconds != 0 || end <= l.lastEnd {
		return
	}
	step, ok := l.fold.Flush()
	if !ok || step.End != end {
		return
	}
	l.put(step)
}

// put writes a step into a row, and passes the row to Next.
func (l *Local) put(step *table.Step) {
	row := table.NewRow(l.plan.Schema)
	row.End = step.End
	for i, s := range l.plan.System.Servers {
		row.Heard[i] = s == l.host
	}
	l.disks.Put(step, row)
	l.times.Put(step.End, row)
	l.upkeep.Put(step.End, row)
	l.lastEnd = step.End
	select {
	case l.rows <- madeRow{l.plan, row}:
	default:
	}
}

// describe reads the descriptions of the devices (see Take), if they have changed.
func (l *Local) describe(lines []string) {
	if slices.Equal(lines, l.lines) {
		return
	}
	l.lines = slices.Clone(lines)
	for _, line := range lines {
		l.inventory.Add(line)
	}
	l.plan = nil // the names of devices may have changed
}

// isNew reports whether the list shows a device for the first time, or whether there is no plan
// yet.
func (l *Local) isNew(list []sysstat.Disk) bool {
	isNew := l.plan == nil
	for i := range list {
		if d := deviceOf(&list[i]); !l.devices[d] {
			l.devices[d] = true
			isNew = true
		}
	}
	return isNew
}

// renew makes a system from the devices that samples have shown so far.
func (l *Local) renew() {
	a := &plan{System: l.opts.System}
	if a.System == nil {
		a.System, a.Warned = topology.Discover(deviceSightings(l.host, "", l.devices, l.inventory), l.opts.Peers)
	}
	metrics := l.opts.Metrics
	if l.latencies {
		metrics = append(slices.Clone(metrics), metric.Util.Name) // plan.Choose also adds util if files have latencies
	}
	if err := a.ChooseMetrics(metrics); err != nil || len(a.System.Components) == 0 {
		return
	}
	a.Schema.StepSeconds, a.Schema.Latencies = l.opts.StepSeconds, l.latencies
	a.Schema.Components, a.Schema.Servers = len(a.System.Components), len(a.System.Servers)
	l.plan = a
	l.disks = newDisks(l.host, a.System, l.inventory, a.choice.disks)
	l.times = newLatencies(&l.disks, a.Schema.Latencies)
	l.upkeep = newUpkeep(&l.disks)
	l.fold = table.NewFoldOf(a.Schema.StepSeconds, table.Shape{Disks: l.disks.Len()})
}

// End ends the source. After the last row, Next returns the given error, or io.EOF if the error is nil.
// The sampling goroutine calls End once, after the last call of Take.
func (l *Local) End(err error) {
	if err == nil {
		err = io.EOF
	}
	l.err = err
	close(l.ended)
}

// Schema returns the schema of the rows.
func (l *Local) Schema() table.Schema {
	if l.current == nil {
		return table.Schema{StepSeconds: l.opts.StepSeconds}
	}
	return l.current.Schema
}

// System returns the system that the rows describe. It is nil until Next first returns
// ingest.ErrChanged.
func (l *Local) System() *topology.System {
	if l.current == nil {
		return nil
	}
	return l.current.System
}

// Warnings lists the devices that are left out of the system, with the reason.
func (l *Local) Warnings() []ingest.Warning {
	if l.current == nil {
		return nil
	}
	return l.current.Warned
}

// Next waits for the next row. It returns ingest.ErrChanged when a device was added.
func (l *Local) Next(ctx context.Context) (*table.Row, error) {
	if row := l.waiting; row != nil {
		l.waiting = nil
		return row, nil
	}
	select {
	case m := <-l.rows:
		return l.take(m)
	default:
	}
	select {
	case m := <-l.rows:
		return l.take(m)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.ended:
		if len(l.rows) > 0 {
			return l.take(<-l.rows)
		}
		return nil, l.err
	}
}

func (l *Local) take(m madeRow) (*table.Row, error) {
	if m.plan == l.current {
		return m.row, nil
	}
	same := l.current != nil && slices.EqualFunc(l.current.System.Components, m.plan.System.Components,
		func(a, b topology.Component) bool { return a.Name == b.Name && a.Group == b.Group })
	l.current = m.plan
	if same {
		return m.row, nil
	}
	l.waiting = m.row
	return nil, ingest.ErrChanged
}

// Close does nothing, because the sampling goroutine ends the source.
func (l *Local) Close() error { return nil }
