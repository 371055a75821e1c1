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
//	    text: LUN 1.07 answers 1.4 times slower from 02:00
//	    attachments: [1.07.4, 1.07.1, 1.07.2, 1.07.3]
//	harmless:
//	  - kind: server-issued workload
//	    …

// A Kind of event, as L13 §5.2 tells them apart.
type Kind string

// The kinds of event.
const (
	SingleLUN      Kind = "single LUN"
	LostAttachment Kind = "lost attachment"
	DrawerError    Kind = "drawer error"
	ServerIssued   Kind = "server-issued workload"
)

// Harmless reports whether nothing is wrong, however odd it looks.
func (k Kind) Harmless() bool { return k == ServerIssued }

// Truth is what a diagnosis of a scenario ought to find.
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
	Component   string    `yaml:"component"` // "1.07", "ddn2a" or "ddn1"
	From        time.Time `yaml:"from"`
	To          time.Time `yaml:"to"`
	Text        string    `yaml:"text"`
	Attachments []string  `yaml:"attachments,flow"` // that are hit; those with load show it
}

func (r *run) truth() *Truth {
	t := &Truth{System: r.system.Name, Seed: r.scenario.Seed, From: r.scenario.Start, To: r.scenario.End}
	for _, e := range r.events {
		f := r.fault(e)
		if f.Kind.Harmless() {
			t.Harmless = append(t.Harmless, f)
		} else {
			t.Faults = append(t.Faults, f)
		}
	}
	return t
}

func (r *run) fault(e aimed) Fault {
	f := e.describe()
	f.From, f.To = e.From, e.To
	f.Text += " from " + e.From.Format("15:04")
	if e.To.Before(r.scenario.End) {
		f.Text += " to " + e.To.Format("15:04")
	}
	for _, a := range e.hit {
		f.Attachments = append(f.Attachments, r.system.Components[a.component].Name)
	}
	return f
}

// YAML is the truth as a file has it.
func (t *Truth) YAML() ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("# What is wrong with the simulated system, and what only looks like it.\n\n")
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(t); err != nil {
		return nil, err
	}
	return text.Bytes(), enc.Close()
}
