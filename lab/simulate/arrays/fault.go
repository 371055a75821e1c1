package arrays

import (
	"fmt"
	"strconv"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// SlowLUN makes a LUN take longer for every request: one of its drives is failing (L13 §5.2.3), or
// the array rebuilds or checks a drive for some time, as every RAID does.
type SlowLUN struct {
	LUN    string
	Factor float64
	Chore  string // harmless reason, such as a rebuild; empty: the event is a fault
}

func (m SlowLUN) describe() simulate.Fault {
	text := fmt.Sprintf("the drives of LUN %s take %s times as long for a request", m.LUN, decimal(m.Factor))
	if m.Chore != "" {
		return simulate.Fault{Kind: simulate.Upkeep, Component: m.LUN, Text: text + ", " + m.Chore}
	}
	return simulate.Fault{Kind: simulate.SingleLUN, Component: m.LUN, Text: text}
}

func (m SlowLUN) hits() []string { return []string{m.LUN} }

func (m SlowLUN) strike(a *Attachment, _ time.Duration) {
	a.LUN.Condition.Slow = max(a.LUN.Condition.Slow, m.Factor)
}

// BusyLUN is a workload of one LUN alone, such as a file that is not striped (L13 §5.2.3). It is a
// fault only if it lasts for a long time.
type BusyLUN struct {
	LUN           string
	Reads, Writes Flow
	Passing       bool
}

func (m BusyLUN) describe() simulate.Fault {
	perSecond := (m.Reads.PerSecond*m.Reads.KiB + m.Writes.PerSecond*m.Writes.KiB) / 1024
	f := simulate.Fault{Kind: simulate.WorkloadImbalance, Component: m.LUN}
	f.Text = fmt.Sprintf("LUN %s gets %s MiB/s of additional requests", m.LUN, decimal(perSecond))
	if m.Passing {
		f.Kind = simulate.Transient
	}
	return f
}

func (m BusyLUN) hits() []string { return []string{m.LUN} }

func (m BusyLUN) strike(a *Attachment, _ time.Duration) {
	for i, s := range m.streams() {
		if was := &a.LUN.Condition.Extra[i]; s.PerSecond*s.KiB > was.PerSecond*was.KiB {
			*was = s // of two workloads, the heavier one counts
		}
	}
}

func (m BusyLUN) streams() []Stream {
	return []Stream{{Flow: m.Reads}, {Flow: m.Writes, Write: true}}
}

// InternalLoad is an attachment that answers its few requests slowly, without any workload of
// clients (L13 §5.2.3, 2012-06-25).
type InternalLoad struct {
	Attachment string
	PerSecond  float64 // requests of one page each
	Await      time.Duration
}

func (m InternalLoad) describe() simulate.Fault {
	text := fmt.Sprintf("%s takes %v for internal requests, which do not come from clients", m.Attachment, m.Await)
	return simulate.Fault{Kind: simulate.SingleLUN, Component: m.Attachment, Text: text}
}

func (m InternalLoad) hits() []string { return []string{m.Attachment} }

func (m InternalLoad) strike(a *Attachment, _ time.Duration) {
	a.Inner, a.InnerMs = Flow{PerSecond: m.PerSecond, KiB: 4}, m.Await.Seconds()*1000
}

// DrawerErrors simulates drives of one drawer that sometimes do not answer. It hits the LUNs with a
// drive in the drawer: each error delays arriving requests until the retry of the controller is
// over (L13 §5.2.2).
type DrawerErrors struct {
	Array string
	LUNs  []string      // LUNs with a drive in the drawer
	Every time.Duration // mean time between two errors of a LUN
	Retry time.Duration
}

func (m DrawerErrors) describe() simulate.Fault {
	text := fmt.Sprintf("errors in a drawer of %s stall each of %d LUNs about every %s s for %d ms",
		m.Array, len(m.LUNs), decimal(m.Every.Seconds()), m.Retry.Milliseconds())
	return simulate.Fault{Kind: simulate.DrawerError, Component: m.Array, Text: text}
}

func (m DrawerErrors) hits() []string { return m.LUNs }

func (m DrawerErrors) strike(a *Attachment, _ time.Duration) {
	a.LUN.Condition.Stall = Stall{Every: m.Every, Retry: m.Retry}
}

// LUNResets makes an array hold all requests of a LUN until its reset is over (L13 §5.2.1,
// 2011-05-18). Meanwhile clients wait, with all their requests to any LUN.
type LUNResets struct {
	Array  string
	Delays map[string]time.Duration // by LUN: time from the start of the event to the end of the reset
}

func (m LUNResets) describe() simulate.Fault {
	text := fmt.Sprintf("%s resets %d LUNs, which answer after up to %s s", m.Array, len(m.Delays), decimal(m.longest().Seconds()))
	return simulate.Fault{Kind: simulate.LUNReset, Component: m.Array, Text: text}
}

func (m LUNResets) longest() (d time.Duration) {
	for _, delay := range m.Delays {
		d = max(d, delay)
	}
	return d
}

func (m LUNResets) hits() []string { return []string{m.Array} }

func (m LUNResets) strike(a *Attachment, since time.Duration) {
	if delay := m.Delays[a.LUN.Name]; since < delay {
		a.LUN.Condition.Hold = Hold{Wait: delay, Left: delay - since}
	}
}

// ServerWork is a server's own light reading through all of its attachments, of any priority (L13
// §5.3.2). With Everywhere, the server also reads all other LUNs through their own servers.
// ServerWork is no fault.
type ServerWork struct {
	Server     string
	Flow       Flow // requests to each LUN
	Everywhere bool
}

func (m ServerWork) describe() simulate.Fault {
	text := fmt.Sprintf("server %s itself reads %s KiB/s from each of its LUNs", m.Server, decimal(m.Flow.PerSecond*m.Flow.KiB))
	return simulate.Fault{Kind: simulate.ServerIssued, Component: m.Server, Text: text}
}

func (m ServerWork) hits() []string { return []string{m.Server} }

func (m ServerWork) strike(a *Attachment, _ time.Duration) {
	a.Own, a.OwnMs = m.Flow, cachedMs
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
