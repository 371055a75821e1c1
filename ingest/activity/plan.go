package activity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// A plan describes the rows: their system, their metrics, and the machines that
// fill the rows.
type plan struct {
	System   *topology.System
	Schema   table.Schema
	choice   choice
	book     *addresses
	Hosts    []topology.Seen // hosts whose connections or addresses are known
	Found    []topology.Seen // devices, interfaces and hosts that an earlier process found
	Machines []*machine      // all machines that have files
	servers  []*machine      // machines that serve storage
	clients  []*machine      // machines that do not serve storage
	Inward   *fromClients
	Reading  context.Context // cancelled when the rows are not needed any more
	Warned   []ingest.Warning
	mixed    map[string]int64 // for each host with several files of which only some have intervals longer than a step: the longest interval in seconds
}

// Choose sets the step, and the metrics that rows have. The first result is true if the metrics of
// Options.Wanted are included.
func (a *plan) Choose(o *Options, list []hostFiles) (wanted bool, err error) {
	wanted = o.takeWanted(list)
	if o.Latencies && slices.ContainsFunc(list, func(f hostFiles) bool { return f.Latencies }) {
		o.Metrics = append(slices.Clone(o.Metrics), metric.Util.Name) // the service time of a request needs util and latencies
	}
	if err := errors.Join(o.Validate(), a.ChooseMetrics(o.Metrics)); err != nil {
		return false, err
	}
	a.Schema.StepSeconds = a.chooseStep(o.StepSeconds, cmp.Or(o.Finest, defaultStep), list)
	return wanted, nil
}

// Count examines the content of the files (takeCensus). It does so in three cases:
//
//   - There is no topology file.
//   - Metrics of connections were chosen.
//   - The files describe services, which a topology file does not name.
//
// With a topology file, Count ignores an unreadable file, because only the values of its machine
// are missing. The error is reported later, when the file is opened to make rows.
func (a *plan) Count(ctx context.Context, list []hostFiles) error {
	if a.System != nil && !a.choice.connections() {
		for i := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			if list[i].Services {
				_ = list[i].TakeCensus(ctx, false) // an error is reported when the file is opened
			}
		}
		return nil
	}
	if err := takeCensus(ctx, list, a.UsesInterfaces()); err != nil && (a.System == nil || ctx.Err() != nil) {
		return err
	}
	return nil
}

// Settle finds the owner of each address. Without a topology file, it first makes the system from
// the content of the files. With a topology file, it adds the services in the files to the system.
func (a *plan) Settle(list []hostFiles, peers topology.Peers) error {
	for _, f := range list {
		if a.choice.connections() && (f.TCP || len(f.Addresses) > 0) {
			a.Hosts = append(a.Hosts, topology.Seen{Kind: topology.Host, Server: f.Name})
		}
	}
	if a.System == nil {
		if err := a.discover(list, peers); err != nil {
			return err
		}
	} else {
		var warnings []ingest.Warning
		a.System, warnings = a.System.WithServices(a.seen(list))
		a.Warned = append(a.Warned, warnings...)
	}
	a.Schema.Components, a.Schema.Servers = len(a.System.Components), len(a.System.Servers)
	a.book = newAddresses(a.System)
	for _, f := range list {
		a.book.Claim(serverName(f.Name, a.System), f.Addresses)
	}
	a.book.FindOwners()
	return nil
}

// discover makes a system from the devices and interfaces that the files show.
func (a *plan) discover(list []hostFiles, peers topology.Peers) error {
	seen := a.seen(list)
	var warnings []ingest.Warning
	a.System, warnings = topology.Discover(seen, peers)
	a.Warned = append(a.Warned, warnings...)
	switch {
	case len(seen) == 0 && !slices.ContainsFunc(list, func(f hostFiles) bool { return !f.Empty }):
		return withoutRecords(list)
	case len(seen) == 0:
		return fmt.Errorf("the files of %s contain no disk data: start sadc with -S DISK to record disks", hostNames(list))
	case len(a.System.Components) == 0:
		return fmt.Errorf("the files of %s contain no component that can be compared: %s", hostNames(list), warnings[0].Text)
	case !slices.ContainsFunc(a.System.Components, func(c topology.Component) bool { return c.Kind == topology.Attachment }):
		return fmt.Errorf("the files of %s contain no drive that can be judged%s; without drives, limpet cannot distinguish servers from clients: name the servers and their drives in a topology file (--topology)",
			hostNames(list), leftOutReason(warnings))
	}
	return nil
}

// withoutRecords returns the error for files without any record with data. If a file is damaged,
// the error contains the damage.
func withoutRecords(list []hostFiles) error {
	text := fmt.Sprintf("the files of %s contain no complete record with data", hostNames(list))
	for _, f := range list {
		if f.Damage != nil {
			return fmt.Errorf("%s: %w: copy the whole file again, or name other files", text, f.Damage)
		}
	}
	return fmt.Errorf("%s: wait until the recorder has written a record, or name other files", text)
}

// seen returns all devices, interfaces, services and hosts that the files show.
func (a *plan) seen(list []hostFiles) []topology.Seen {
	seen := slices.Concat(a.Hosts, a.Found)
	for _, f := range list {
		seen = append(seen, f.Seen...)
	}
	return seen
}

// leftOutReason returns the reason why a system is empty, in brackets. It takes the reason from the
// first warning: the text before the semicolon. The advice after the semicolon is left out. The
// result is empty if there is no warning.
func leftOutReason(warnings []ingest.Warning) string {
	if len(warnings) == 0 {
		return ""
	}
	what, _, _ := strings.Cut(warnings[0].Text, ";")
	return " (" + what + ")"
}

func hostNames(list []hostFiles) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name
	}
	return topology.Fold(names)
}

// OpenMachines opens the files of all hosts. It warns of a host whose files
// cannot be opened, and continues with the other hosts.
func (a *plan) OpenMachines(list []hostFiles, open func(name string, f hostFiles) (*machine, error)) error {
	var errs []error
	taken := map[string]string{} // host name by server name
	for _, f := range list {
		name := serverName(f.Name, a.System)
		if other, ok := taken[name]; ok {
			errs = append(errs, fmt.Errorf("the files of %s and the files of %s both belong to server %s: the files of %s are left out; give the servers their full names", other, f.Name, name, f.Name))
			continue
		}
		taken[name] = f.Name
		m, err := open(name, f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		a.addMachine(m)
	}
	if len(a.Machines) == 0 && len(errs) > 0 {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		a.Warned = append(a.Warned, ingest.Warning{Text: err.Error()})
	}
	return nil
}

func (a *plan) addMachine(m *machine) {
	a.Machines = append(a.Machines, m)
	if m.conns.IsClient() {
		a.clients = append(a.clients, m)
	} else {
		a.servers = append(a.servers, m)
	}
}

// OpenFiles opens the files of a host. The files are complete: they do not grow.
func (a *plan) OpenFiles(name string, f hostFiles) (*machine, error) {
	records, err := sysstat.OpenAll(f.Paths)
	if err != nil {
		return nil, err
	}
	return newMachine(name, f.Paths, records, a), nil
}
