package collect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// ActivityOptions say how activity files become rows. The zero value judges
// nothing but finds out the rest from the files.
type ActivityOptions struct {
	// StepSeconds is the length of a step; 0 takes Finest, or the interval of
	// the records where that is longer.
	StepSeconds int64
	Finest      int64            // 0: 15 s, as L13 did
	Metrics     []string         // of metric.All, beside tps
	System      *topology.System // nil: what the files show
	Peers       topology.Peers   // who is compared with whom where System is nil
}

// Validate reports every setting that cannot work.
func (o *ActivityOptions) Validate() error {
	if step := min(o.StepSeconds, o.Finest); step < 0 {
		return fmt.Errorf("a step of %d s: at least 1 is needed, or 0 to let the records decide", step)
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
	choice   choice
	book     *book
	hosts    []topology.Seen // that connections or addresses are known of
	machines []*machine      // all that have files
	servers  []*machine      // those among them that serve storage
	clients  []*machine      // the others
	inward   *inward
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
	a.schema.StepSeconds = a.chooseStep(o.StepSeconds, cmp.Or(o.Finest, defaultStep), files)
	if err := a.settle(files, o.Peers); err != nil {
		return nil, err
	}
	a.warnings = append(a.warnings, a.lacks(files)...)
	if err := a.openMachines(files); err != nil {
		return nil, err
	}
	a.now, a.ahead = newBatch(a.schema), newBatch(a.schema)
	a.readAhead()
	return a, nil
}

// settle finds out what the rows are about: the system, where no topology file
// says it, and whose address is whose. With a topology file, files that cannot
// be read cost their own rows only, and are named when they are opened.
func (a *Activity) settle(files []hostFiles, peers topology.Peers) error {
	if a.system == nil || a.choice.connections() {
		if err := takeCensus(files, a.choice); err != nil && a.system == nil {
			return err
		}
	}
	for _, f := range files {
		if a.choice.connections() && (f.tcp || len(f.addresses) > 0) {
			a.hosts = append(a.hosts, topology.Seen{Kind: topology.Host, Server: f.host})
		}
	}
	if a.system == nil {
		if err := a.discover(files, peers); err != nil {
			return err
		}
	}
	a.schema.Components, a.schema.Servers = len(a.system.Components), len(a.system.Servers)
	a.book = newBook(files, a.system)
	a.inward = newInward(a.choice, a.book)
	return nil
}

// discover takes the system to be what the files show.
func (a *Activity) discover(files []hostFiles, peers topology.Peers) error {
	seen := slices.Clone(a.hosts)
	for _, f := range files {
		seen = append(seen, f.seen...)
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

func (a *Activity) openMachines(files []hostFiles) error {
	var errs []error
	taken := map[string]string{} // host by server
	for _, f := range files {
		name := serverName(f.host, a.system)
		if other, ok := taken[name]; ok {
			errs = append(errs, fmt.Errorf("files of %s and of %s are both of server %s: those of %s are left out; name the servers in full", other, f.host, name, f.host))
			continue
		}
		taken[name] = f.host
		m, err := openMachine(name, f.paths, a)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		a.enlist(m)
	}
	if len(a.machines) == 0 {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		a.warnings = append(a.warnings, Warning{Text: err.Error()})
	}
	return nil
}

func (a *Activity) enlist(m *machine) {
	a.machines = append(a.machines, m)
	if m.conns.client {
		a.clients = append(a.clients, m)
	} else {
		a.servers = append(a.servers, m)
	}
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
	for _, m := range a.machines {
		errs = append(errs, m.records.Close())
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

// readAhead fills the next batch. It lasts until a.filled is closed.
func (a *Activity) readAhead() {
	a.filled = make(chan struct{})
	go func() {
		defer close(a.filled)
		first, ok := a.nextStep()
		a.ahead.begin(first)
		if a.ahead.empty = !ok; ok {
			a.fill(a.ahead)
		}
	}()
}

// nextStep is the earliest step that any machine still has.
func (a *Activity) nextStep() (first int64, ok bool) {
	inParallel(a.machines, (*machine).peek)
	for _, m := range a.machines {
		if m.step != nil && (!ok || m.step.End < first) {
			first, ok = m.step.End, true
		}
	}
	return first / a.schema.StepSeconds, ok
}

// fill fills a batch, each machine its own columns, on all cores. What clients
// say of the hosts of the system is put together afterwards.
func (a *Activity) fill(b *batch) {
	inParallel(a.servers, func(m *machine) { m.fill(b) })
	for crowd := range slices.Chunk(a.clients, crowdSize) {
		inParallel(crowd, func(m *machine) { m.fill(b) })
		a.inward.gather(crowd)
	}
	a.inward.put(b)
}
