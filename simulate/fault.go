package simulate

import (
	"fmt"
	"strconv"
	"time"
)

// An Event is something that happens to the system for a while.
type Event struct {
	From, To time.Time
	Mechanism
}

// A Mechanism is how an event makes parts of the system work otherwise.
type Mechanism interface {
	// describe says what it is, without times and attachments.
	describe() Fault
	// hits names what it hits, as topology.System.Match reads it.
	hits() []string
	// strike hits one attachment, or what lies behind it, for an interval.
	strike(*attachment)
}

// SlowLUN makes a LUN take longer for every request: a drive of it is failing
// (L13 §5.2.3).
type SlowLUN struct {
	LUN    string
	Factor float64
}

func (m SlowLUN) describe() Fault {
	text := fmt.Sprintf("LUN %s answers %s times slower", m.LUN, decimal(m.Factor))
	return Fault{Kind: SingleLUN, Component: m.LUN, Text: text}
}

func (m SlowLUN) hits() []string { return []string{m.LUN} }

func (m SlowLUN) strike(a *attachment) { a.lun.condition.slow = m.Factor }

// FailedController takes the block devices behind a controller from its
// servers; clients go to the next server that still has a path (L13 §5.2.1).
type FailedController struct {
	Controller string
}

func (m FailedController) describe() Fault {
	return Fault{Kind: LostAttachment, Component: m.Controller, Text: "controller " + m.Controller + " is down"}
}

func (m FailedController) hits() []string { return []string{m.Controller} }

func (m FailedController) strike(a *attachment) { a.gone = true }

// DrawerErrors is drives of one drawer that fail to answer now and then, on
// the LUNs that have one there: each error holds up what arrives until the
// controller's retry is over (L13 §5.2.2).
type DrawerErrors struct {
	Array string
	LUNs  []string      // with a drive in the drawer
	Every time.Duration // between the errors of a LUN, on average
	Retry time.Duration
}

func (m DrawerErrors) describe() Fault {
	text := fmt.Sprintf("errors in a drawer of %s stall each of %d LUNs about every %s s for %d ms",
		m.Array, len(m.LUNs), decimal(m.Every.Seconds()), m.Retry.Milliseconds())
	return Fault{Kind: DrawerError, Component: m.Array, Text: text}
}

func (m DrawerErrors) hits() []string { return m.LUNs }

func (m DrawerErrors) strike(a *attachment) { a.lun.condition.stall = stall{m.Every, m.Retry} }

// ServerWork is a server's own light reading through all of its attachments,
// whatever their priority (L13 §5.3.2). It is no fault.
type ServerWork struct {
	Server string
	Flow   Flow
}

func (m ServerWork) describe() Fault {
	text := fmt.Sprintf("server %s itself reads %s KiB/s of each of its LUNs", m.Server, decimal(m.Flow.PerSecond*m.Flow.KiB))
	return Fault{Kind: ServerIssued, Component: m.Server, Text: text}
}

func (m ServerWork) hits() []string { return []string{m.Server} }

func (m ServerWork) strike(a *attachment) { a.own = m.Flow }

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
