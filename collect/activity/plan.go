package activity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/collect/activity/internal/connections"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// A plan is what rows are made of: the system that they are about, what is
// measured, and the machines that fill them.
type plan struct {
	system   *topology.System
	schema   table.Schema
	choice   choice
	book     *connections.Addresses
	hosts    []topology.Seen // that connections or addresses are known of
	found    []topology.Seen // by a process before
	machines []*machine      // all that have files
	servers  []*machine      // those among them that serve storage
	clients  []*machine      // the others
	inward   *connections.FromClients
	reading  context.Context // ends when nobody wants the rows any more
	warnings []collect.Warning
}

// choose finds out which metrics the rows have and how long a step is; wanted
// says whether what is only wanted is among them.
func (a *plan) choose(o *Options, files []hostFiles) (wanted bool, err error) {
	wanted = o.takeWanted(files)
	if err := errors.Join(o.Validate(), a.chooseMetrics(o.Metrics)); err != nil {
		return false, err
	}
	a.schema.StepSeconds = a.chooseStep(o.StepSeconds, cmp.Or(o.Finest, defaultStep), files)
	return wanted, nil
}

// count takes a census of the files where it matters what they hold. With a
// topology file, files that cannot be read cost their own rows only, and are
// named when they are opened.
func (a *plan) count(ctx context.Context, files []hostFiles) error {
	if a.system != nil && !a.choice.connections() {
		return nil
	}
	if err := takeCensus(ctx, files, a.choice); err != nil && (a.system == nil || ctx.Err() != nil) {
		return err
	}
	return nil
}

// settle finds out what the rows are about: the system, where no topology file
// says it, and whose address is whose.
func (a *plan) settle(files []hostFiles, peers topology.Peers) error {
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
	return nil
}

// discover takes the system to be what the files show.
func (a *plan) discover(files []hostFiles, peers topology.Peers) error {
	seen := slices.Concat(a.hosts, a.found)
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

// openMachines opens the files of all hosts. A host whose files cannot be opened
// costs itself.
func (a *plan) openMachines(files []hostFiles, open func(name string, f hostFiles) (*machine, error)) error {
	var errs []error
	taken := map[string]string{} // host by server
	for _, f := range files {
		name := serverName(f.host, a.system)
		if other, ok := taken[name]; ok {
			errs = append(errs, fmt.Errorf("files of %s and of %s are both of server %s: those of %s are left out; name the servers in full", other, f.host, name, f.host))
			continue
		}
		taken[name] = f.host
		m, err := open(name, f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		a.enlist(m)
	}
	if len(a.machines) == 0 && len(errs) > 0 {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		a.warnings = append(a.warnings, collect.Warning{Text: err.Error()})
	}
	return nil
}

func (a *plan) enlist(m *machine) {
	a.machines = append(a.machines, m)
	if m.conns.IsClient() {
		a.clients = append(a.clients, m)
	} else {
		a.servers = append(a.servers, m)
	}
}

// openFiles opens files that are whole.
func (a *plan) openFiles(name string, f hostFiles) (*machine, error) {
	records, err := sysstat.OpenAll(f.paths)
	if err != nil {
		return nil, err
	}
	return newMachine(name, f.paths, records, a), nil
}
