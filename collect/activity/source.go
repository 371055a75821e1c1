package activity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/collect/activity/internal/connections"
	"github.com/limpet-storage/limpet/collect/internal/parallel"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Options say how activity files become rows. The zero value judges
// nothing but finds out the rest from the files.
type Options struct {
	// StepSeconds is the length of a step; 0 takes Finest, or the interval of
	// the records where that is longer.
	StepSeconds int64
	Finest      int64            // 0: 15 s, as L13 did
	Metrics     []string         // of metric.All, beside tps
	Wanted      Wanted           // what is read besides where the files allow it
	Latencies   bool             // how long requests took is read, where a file has it
	System      *topology.System // nil: what the files show
	Peers       topology.Peers   // who is compared with whom where System is nil
}

// Wanted is what is read besides, in a finer step, where at least three servers
// have interfaces and their records are not too far apart.
type Wanted struct {
	Metrics       []string
	Finest        int64 // seconds of a step
	WithinSeconds int64 // that records may be apart
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	if step := min(o.StepSeconds, o.Finest); step < 0 {
		return fmt.Errorf("a step of %d s: at least 1 is needed, or 0 to let the records decide", step)
	}
	return nil
}

// defaultStep is L13's (§4.2): long enough that a light load leaves values in
// most steps.
const defaultStep = 15

// Source is the rows of activity files.
type Source struct {
	system   *topology.System
	schema   table.Schema
	choice   choice
	book     *connections.Addresses
	hosts    []topology.Seen // that connections or addresses are known of
	machines []*machine      // all that have files
	servers  []*machine      // those among them that serve storage
	clients  []*machine      // the others
	inward   *connections.FromClients
	now      *batch // given out
	ahead    *batch // being filled meanwhile
	filled   chan struct{}
	reading  context.Context // ends when nobody wants the rows any more
	stop     context.CancelFunc
	warnings []collect.Warning
}

// Open opens the activity files among paths, which may be files and
// directories, of any number of servers and days.
func Open(ctx context.Context, paths []string, o Options) (*Source, error) {
	files, warnings, err := findActivity(ctx, paths)
	if err != nil {
		return nil, err
	}
	wanted := o.takeWanted(files)
	a := &Source{system: o.System, warnings: warnings}
	a.reading, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := errors.Join(o.Validate(), a.chooseMetrics(o.Metrics)); err != nil {
		return nil, err
	}
	a.schema.StepSeconds = a.chooseStep(o.StepSeconds, cmp.Or(o.Finest, defaultStep), files)
	a.schema.Latencies = o.Latencies && slices.ContainsFunc(files, func(f hostFiles) bool { return f.latencies })
	if err := a.settle(ctx, files, o.Peers); err != nil {
		return nil, err
	}
	if !wanted { // what is only wanted may be lacking
		a.warnings = append(a.warnings, a.lacks(files)...)
	}
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
func (a *Source) settle(ctx context.Context, files []hostFiles, peers topology.Peers) error {
	if a.system == nil || a.choice.connections() {
		if err := takeCensus(ctx, files, a.choice); err != nil && (a.system == nil || ctx.Err() != nil) {
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
	a.book = connections.NewAddresses(a.system)
	for _, f := range files {
		a.book.Claim(serverName(f.host, a.system), f.addresses)
	}
	a.book.Settle()
	a.inward = connections.NewFromClients(a.choice.in, a.book, batchSteps)
	return nil
}

// discover takes the system to be what the files show.
func (a *Source) discover(files []hostFiles, peers topology.Peers) error {
	seen := slices.Clone(a.hosts)
	for _, f := range files {
		seen = append(seen, f.seen...)
	}
	var warnings []collect.Warning
	a.system, warnings = topology.Discover(seen, peers)
	a.warnings = append(a.warnings, warnings...)
	switch {
	case len(seen) == 0:
		return fmt.Errorf("the files of %s hold no disks: have sadc record them (-S DISK)", hostNames(files))
	case len(a.system.Components) == 0:
		return fmt.Errorf("the files of %s hold nothing to compare: %s", hostNames(files), warnings[0].Text)
	case !slices.ContainsFunc(a.system.Components, func(c topology.Component) bool { return c.Kind == topology.Attachment }):
		return fmt.Errorf("the files of %s hold no drive to judge%s; without drives servers cannot be told from clients: name the servers, and their drives if there are any, in a topology file (--topology)",
			hostNames(files), because(warnings))
	}
	return nil
}

// because says what was left out, if anything was.
func because(warnings []collect.Warning) string {
	if len(warnings) == 0 {
		return ""
	}
	what, _, _ := strings.Cut(warnings[0].Text, ";")
	return " (" + what + ")"
}

func hostNames(files []hostFiles) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.host
	}
	return topology.Fold(names)
}

func (a *Source) openMachines(files []hostFiles) error {
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
		a.warnings = append(a.warnings, collect.Warning{Text: err.Error()})
	}
	return nil
}

func (a *Source) enlist(m *machine) {
	a.machines = append(a.machines, m)
	if m.conns.IsClient() {
		a.clients = append(a.clients, m)
	} else {
		a.servers = append(a.servers, m)
	}
}

// System is what the rows are about.
func (a *Source) System() *topology.System { return a.system }

// Schema says what the rows hold.
func (a *Source) Schema() table.Schema { return a.schema }

// Close ends reading.
func (a *Source) Close() error {
	a.stop()
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
func (a *Source) Next(ctx context.Context) (*table.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if row := a.now.next(); row != nil {
			return row, nil
		}
		select {
		case <-a.filled:
		case <-ctx.Done():
			a.stop()
			return nil, ctx.Err()
		}
		if a.ahead.empty {
			return nil, io.EOF
		}
		a.now, a.ahead = a.ahead, a.now
		a.readAhead()
	}
}

// readAhead fills the next batch. It lasts until a.filled is closed.
func (a *Source) readAhead() {
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
func (a *Source) nextStep() (first int64, ok bool) {
	parallel.Each(a.reading, a.machines, (*machine).peek)
	for _, m := range a.machines {
		if m.step != nil && (!ok || m.step.End < first) {
			first, ok = m.step.End, true
		}
	}
	return first / a.schema.StepSeconds, ok
}

// fill fills a batch, each machine its own columns, on all cores. What clients
// say of the hosts of the system is put together afterwards.
func (a *Source) fill(b *batch) {
	parallel.Each(a.reading, a.servers, func(m *machine) { m.fill(b) })
	for crowd := range slices.Chunk(a.clients, connections.CrowdSize) {
		parallel.Each(a.reading, crowd, func(m *machine) { m.fill(b) })
		a.inward.Gather(len(crowd))
	}
	a.inward.Put(b.rows)
}
