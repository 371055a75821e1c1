package simulate

import (
	"bytes"
	"time"

	"go.yaml.in/yaml/v3"
)

// The truth about a scenario stands beside its data:
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

// A Kind of event.
type Kind string

// The kinds of event: of shared storage (L13 §5.2, §5.3.2, §4.3) and of a
// cluster's servers (F10 §9).
const (
	SingleLUN         Kind = "single LUN"
	WorkloadImbalance Kind = "workload imbalance" // a LUN has more to do than its peers, and lastingly
	LostAttachment    Kind = "lost attachment"
	LUNReset          Kind = "LUN resets"
	DrawerError       Kind = "drawer error"
	SilentServer      Kind = "silent server"          // down, and its records with it
	ServerIssued      Kind = "server-issued workload" // of no harm
	Transient         Kind = "transient asymmetry"    // of no harm
	Upkeep            Kind = "array upkeep"           // of no harm: a drive is rebuilt or checked

	DiskHog    Kind = "disk-hog"
	DiskBusy   Kind = "disk-busy"
	NetworkHog Kind = "network-hog"
	PacketLoss Kind = "packet loss"
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{
		SingleLUN, WorkloadImbalance, LostAttachment, LUNReset, DrawerError, SilentServer, ServerIssued, Transient, Upkeep,
		DiskHog, DiskBusy, NetworkHog, PacketLoss,
	}
}

// Harmless reports whether nothing is wrong, however anomalous it looks.
func (k Kind) Harmless() bool { return k == ServerIssued || k == Transient || k == Upkeep }

// Truth is what a diagnosis of a simulated system ought to find.
type Truth struct {
	System   string    `yaml:"system"`
	Seed     uint64    `yaml:"seed"`
	From     time.Time `yaml:"from"`
	To       time.Time `yaml:"to"`
	Faults   []Fault   `yaml:"faults"`
	Harmless []Fault   `yaml:"harmless"` // what it ought not to blame anyone for
}

// A Fault is one event, by the part that would have to be repaired.
type Fault struct {
	Kind        Kind      `yaml:"kind"`
	Component   string    `yaml:"component"` // "1.07", "ddn2a", "ddn1" or "fs3"
	From        time.Time `yaml:"from"`
	To          time.Time `yaml:"to"`
	Text        string    `yaml:"text"`
	Attachments []string  `yaml:"attachments,flow,omitempty"` // that are hit; those with load show it
}

// Add puts an event where it belongs by its kind.
func (t *Truth) Add(f Fault) {
	if f.Kind.Harmless() {
		t.Harmless = append(t.Harmless, f)
	} else {
		t.Faults = append(t.Faults, f)
	}
}

// YAML is the truth as a file has it; [ParseTruth] reads it.
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
