package simulate

import (
	"bytes"
	"time"

	"go.yaml.in/yaml/v3"
)

// A truth file stands beside the data of a scenario:
//
//	system: demo
//	seed: 1
//	from: 2026-03-01T00:00:05Z
//	to: 2026-03-01T08:00:00Z
//	faults:
//	  - kind: single LUN
//	    component: "1.07"
//	    from: 2026-03-01T02:00:00Z
//	    to: 2026-03-01T08:00:00Z
//	    text: the drives of LUN 1.07 take 1.4 times as long for a request from 02:00
//	    attachments: [1.07.4, 1.07.1, 1.07.2, 1.07.3]
//	harmless:
//	  - kind: server-issued workload
//	    …

// A Kind is a kind of event.
type Kind string

// The kinds of event: of shared storage (L13 §5.2, §5.3.2, §4.3) and of a
// cluster's servers (F10 §9).
const (
	SingleLUN         Kind = "single LUN"
	WorkloadImbalance Kind = "workload imbalance" // a LUN has more load than its peers for a long time
	LostAttachment    Kind = "lost attachment"
	LUNReset          Kind = "LUN resets"
	DrawerError       Kind = "drawer error"
	SilentServer      Kind = "silent server"          // a server is down and sends no records
	ServerIssued      Kind = "server-issued workload" // harmless
	Transient         Kind = "transient asymmetry"    // harmless
	Upkeep            Kind = "array upkeep"           // harmless: a drive is rebuilt or checked

	DiskHog    Kind = "disk-hog"
	DiskBusy   Kind = "disk-busy"
	NetworkHog Kind = "network-hog"
	PacketLoss Kind = "packet loss"
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		SingleLUN, WorkloadImbalance, LostAttachment, LUNReset, DrawerError, SilentServer, ServerIssued, Transient, Upkeep,
		DiskHog, DiskBusy, NetworkHog, PacketLoss,
	}
}

// Harmless reports whether an event of this kind is no fault, even if it causes anomalies.
func (k Kind) Harmless() bool { return k == ServerIssued || k == Transient || k == Upkeep }

// Truth has the events that happen to a simulated system. A diagnosis ought to find the faults.
type Truth struct {
	System   string    `yaml:"system"`
	Seed     uint64    `yaml:"seed"`
	From     time.Time `yaml:"from"`
	To       time.Time `yaml:"to"`
	Faults   []Fault   `yaml:"faults"`
	Harmless []Fault   `yaml:"harmless"` // events that a diagnosis ought not to report as faults
}

// A Fault is one event, with the component that has to be repaired.
type Fault struct {
	Kind        Kind      `yaml:"kind"`
	Component   string    `yaml:"component"` // "1.07", "ddn2a", "ddn1" or "fs3"
	From        time.Time `yaml:"from"`
	To          time.Time `yaml:"to"`
	Text        string    `yaml:"text"`
	Attachments []string  `yaml:"attachments,flow,omitempty"` // attachments that the event hits; it shows on those with load
}

// Add adds an event to the faults or to the harmless events, by its kind.
func (t *Truth) Add(f Fault) {
	if f.Kind.Harmless() {
		t.Harmless = append(t.Harmless, f)
	} else {
		t.Faults = append(t.Faults, f)
	}
}

// YAML returns the text of a truth file; [ParseTruth] reads it.
func (t *Truth) YAML() ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("# What is broken in the simulated system, and what only looks broken.\n\n")
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(t); err != nil {
		return nil, err
	}
	return text.Bytes(), enc.Close()
}
