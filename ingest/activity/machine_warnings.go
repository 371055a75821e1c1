package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Warnings lists the problems with the files of one machine.
func (m *machine) Warnings() []ingest.Warning {
	var all []ingest.Warning
	warn := func(format string, args ...any) {
		all = append(all, ingest.Warning{Text: fmt.Sprintf(format, args...)})
	}
	// lost warns of data that are missing from some time on.
	lost := func(format string, args ...any) {
		warn(format, args...)
		all[len(all)-1].Servers = []string{m.Name}
	}
	for _, w := range m.Records.Warnings() {
		switch {
		case w.Covered > 0:
		case w.IsCutOff() && w.File == m.Records.LastPath():
			lost("%s; if the file is a copy, check whether the copy is complete", w)
		default:
			warn("%s", w)
		}
	}
	if m.err != nil {
		lost("%v; limpet does not use the data of %s after this error", m.err, m.Name)
	}
	// There are two reasons why no time step has data. One reason is that the records cover less than
	// a time step: warn of this here. The other reason is that the interval between records is longer
	// than a time step: tooCoarse warns of this.
	if m.Done && m.First > 0 && m.LastUsed == 0 && m.Ends-m.First < m.StepSeconds() {
		lost("the records of %s cover %s, from %s to %s, less than one time step of %s: record for a longer time",
			m.Name, english.Seconds(m.Ends-m.First), utc(m.First), utc(m.Ends), english.Seconds(m.StepSeconds()))
	}
	if m.Jumps > 0 {
		warn("the clock of %s made %s of more than %d s; synchronise the clock with NTP", m.Name, english.Count(m.Jumps, "jump"), clockStep)
	}
	if n := m.fold.Repeated() + m.Repeated; n > 0 {
		warn("the clock of %s was set back: %s left out, because data of the same time were already read", m.Name, english.Count(n, "time step")+english.Verb(n, " is", " are"))
	}
	if n := m.conns.Damaged; n > 0 {
		warn("limpet leaves out the TCP connections in %s of %s: %v", english.Count(n, "record"), m.Name, m.conns.Err)
	}
	if n := m.times.Damaged; n > 0 {
		warn("limpet leaves out the latencies in %s of %s: %v", english.Count(n, "record"), m.Name, m.times.Err)
	}
	if n := m.pauses.Damaged; n > 0 {
		warn("limpet leaves out the wait times in %s of %s: %v", english.Count(n, "record"), m.Name, m.pauses.Err)
	}
	if n := m.times.Missed(); n > 0 {
		warn("the latencies of %d requests of %s are unknown: another program that traces block requests was started or stopped at that time, or the table of requests in the kernel was full", n, m.Name)
	}
	return all
}

// Sightings returns the devices, interfaces and hosts that the files have shown so far. It leaves
// out the drives of clients, since these drives are not part of the storage system.
func (a *plan) Sightings() []topology.Seen {
	seen := slices.Clone(a.Hosts)
	for _, m := range a.Machines {
		if !m.conns.HasServer {
			seen = append(seen, deviceSightings(m.Name, "", m.disks.Seen, m.Records.Inventory())...)
		}
		seen = append(seen, nicSightings(m.Name, m.nics.Seen)...)
	}
	return seen
}

// Sighted returns a number that changes whenever a machine shows a new device
// or interface.
func (a *plan) Sighted() (n int) {
	for _, m := range a.Machines {
		n += m.Records.Inventory().Changes() + len(m.disks.Seen) + len(m.nics.Seen)
	}
	return n
}
