package activity

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/topology"
)

// WarnMissing warns of chosen network metrics that cannot have values. Each warning
// includes advice for the user.
func (a *plan) WarnMissing(list []hostFiles) []ingest.Warning {
	var all []ingest.Warning
	if len(a.choice.nics) > 0 && !a.hasKind(topology.Interface) {
		all = append(all, a.lackWarning(metric.SubjectInterface, "interfaces", "no file has data of network interfaces", "start sadc with -S A_NET_DEV to record network interfaces"))
	}
	switch {
	case !a.choice.connections():
	case !a.hasKind(topology.Host):
		all = append(all, a.lackWarning(metric.SubjectHost, "hosts", "no file has data of TCP connections", recordThem))
	default:
		all = append(all, a.withoutConnections(list)...)
	}
	return all
}

// recordThem is the advice in warnings about files without connections.
const recordThem = "use limpet record, because sysstat does not record connections"

func (a *plan) hasKind(kind topology.Kind) bool {
	return slices.ContainsFunc(a.System.Components, func(c topology.Component) bool { return c.Kind == kind })
}

// lackWarning returns the warning for metrics without values. The reason is that the system has no
// component of the kind on which they are measured. With a topology file, the warning names the key
// that is missing in this file. Without a topology file, it contains the given reason (absent) and
// the given advice (cure).
func (a *plan) lackWarning(s metric.Subject, key, absent, cure string) ingest.Warning {
	var names []string
	for _, m := range a.Schema.Metrics {
		if m.Subject == s {
			names = append(names, m.Name)
		}
	}
	if a.System.File != "" {
		absent, cure = "the topology file names no "+key, "add the setting \""+key+"\""
	}
	return ingest.Warning{File: a.System.File, Text: fmt.Sprintf("%s, so these metrics have no values: %s; %s", absent, strings.Join(names, ", "), cure)}
}

// withoutConnections warns of servers whose files lack connections or addresses. It also warns if
// no file of a client has connections.
func (a *plan) withoutConnections(list []hostFiles) []ingest.Warning {
	var mute, nameless, clients []string
	for _, f := range list {
		name := serverName(f.Name, a.System)
		serves := a.book.Serves(name)
		if serves && !f.TCP {
			mute = append(mute, name)
		}
		if serves && len(f.Addresses) == 0 {
			nameless = append(nameless, name)
		}
		if !serves && f.TCP {
			clients = append(clients, name)
		}
	}
	var all []ingest.Warning
	warn := func(format string, args ...any) {
		all = append(all, ingest.Warning{Text: fmt.Sprintf(format, args...)})
	}
	if len(a.choice.serverMetrics) > 0 && len(mute) > 0 {
		warn("the files of %s have no data of TCP connections, so these metrics have no values for these servers: %s; %s", topology.Fold(mute), a.names(a.choice.serverMetrics), recordThem)
	}
	if len(nameless) > 0 {
		warn("the files of %s do not contain the addresses of these servers, so limpet cannot recognise connections to these servers; record with limpet record, or add the address to each file as a comment (sadc -C \"addr 10.0.0.3 eth0\" FILE)", topology.Fold(nameless))
	}
	if len(a.choice.clientMetrics) > 0 && len(clients) == 0 {
		warn("no file of a client has data of TCP connections, so these metrics have no values: %s; add files of clients", a.names(a.choice.clientMetrics))
	}
	return all
}

// names returns the names of the given chosen metrics.
func (a *plan) names(columns []column) string {
	var names []string
	for _, c := range columns {
		names = append(names, a.Schema.Metrics[c.Row].Name)
	}
	return strings.Join(names, ", ")
}

// Disputes warns of server addresses that several machines have.
func (a *plan) Disputes() []ingest.Warning {
	disputed := map[netip.Addr]bool{}
	for _, m := range a.Machines {
		maps.Copy(disputed, m.conns.Disputed)
	}
	var all []ingest.Warning
	for _, addr := range slices.SortedFunc(maps.Keys(disputed), netip.Addr.Compare) {
		all = append(all, ingest.Warning{Text: fmt.Sprintf("address %s belongs to more than one server (%s), so limpet leaves out the connections to this address; give the address to one server only", addr, topology.Fold(a.book.Claimants(addr)))})
	}
	return all
}
