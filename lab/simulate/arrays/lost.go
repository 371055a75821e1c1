package arrays

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// These mechanisms end the I/O of a server to a LUN (L13 §5.2.1). The device may be missing, or be
// present and idle. Clients use the next server that has a path.

// FailedController removes the block devices behind a controller from its servers.
type FailedController struct {
	Controller string
}

func (m FailedController) describe() simulate.Fault {
	return simulate.Fault{Kind: simulate.LostAttachment, Component: m.Controller, Text: "controller " + m.Controller + " is down"}
}

func (m FailedController) hits() []string { return []string{m.Controller} }

func (m FailedController) strike(a *Attachment, _ time.Duration) { a.Gone = true }

// LostPaths removes LUNs from servers that are up, behind controllers that are up.
type LostPaths struct {
	Component   string   // component to blame
	Attachments []string // attachments that are lost
	Present     bool     // the devices are present and idle
	Why         string
}

func (m LostPaths) describe() simulate.Fault {
	text := fmt.Sprintf("%s: %d paths are missing, %s", m.Component, len(m.Attachments), m.Why)
	if m.Present {
		text = fmt.Sprintf("%s: %d paths are not used, %s", m.Component, len(m.Attachments), m.Why)
	}
	return simulate.Fault{Kind: simulate.LostAttachment, Component: m.Component, Text: text}
}

func (m LostPaths) hits() []string { return m.Attachments }

func (m LostPaths) strike(a *Attachment, _ time.Duration) {
	if m.Present {
		a.Unused = true
	} else {
		a.Gone = true
	}
}

// An outage is a mechanism that silences a server for some time.
type outage interface {
	silent(Event) Span
}

// ServerDown takes a server out of operation. The server then sends no records.
type ServerDown struct {
	Server string
}

func (m ServerDown) describe() simulate.Fault {
	return simulate.Fault{Kind: simulate.SilentServer, Component: m.Server, Text: "server " + m.Server + " is down"}
}

func (m ServerDown) hits() []string { return []string{m.Server} }

func (m ServerDown) strike(a *Attachment, _ time.Duration) { a.Gone = true }

func (m ServerDown) silent(e Event) Span { return Span{From: e.From, To: e.To} }

// ServiceDown is a server that comes back from a reboot without its file service: its devices are
// present, and no client uses them.
type ServiceDown struct {
	Server string
	Reboot time.Duration
}

func (m ServiceDown) describe() simulate.Fault {
	return simulate.Fault{Kind: simulate.LostAttachment, Component: m.Server, Text: "server " + m.Server + " serves nothing after a reboot"}
}

func (m ServiceDown) hits() []string { return []string{m.Server} }

func (m ServiceDown) strike(a *Attachment, since time.Duration) {
	a.Gone = a.Gone || since < m.Reboot
	a.Unused = true
}

func (m ServiceDown) silent(e Event) Span {
	return Span{From: e.From, To: e.From.Add(m.Reboot)}
}
