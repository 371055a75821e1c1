package command

import "github.com/limpet-storage/limpet/topology"

// Verb is the kind of a command.
type Verb string

// The verbs (L13 §5.1).
const (
	Resolve Verb = "resolve" // the operator has repaired the cause: incidents and mutes end, and accumulators restart from zero
	Mute    Verb = "mute"    // the operator knows the problem: the components of the command are left out of the hourly lists of the worst components, so that other problems are easier to see
	Unmute  Verb = "unmute"  // ends a mute
	Accept  Verb = "accept"  // the present speed is normal from now on: a comparison of a component with its own past uses only rows after the command; its incidents of class "past" end
	Comment Verb = "comment" // a note for people; the diagnosis does not change
	Label   Verb = "label"   // the true cause of an incident, kept for evaluations; the diagnosis does not change
)

// Verbs returns all verbs.
func Verbs() []Verb { return []Verb{Resolve, Mute, Unmute, Accept, Comment, Label} }

// Command is an operator's order about some components or about one incident.
//
// The operator gives Who, Verb, Text, Until and either Incident or Name. The service that receives
// the command fills in Number or Key, Time and Components. Time determines the two rows between
// which the command is executed.
//
// Journals contain commands as JSON, and the logs of clusters contain commands as gob. Both formats
// must stay readable, so no field may be renamed.
type Command struct {
	Number     int64    `json:"number"`        // number of the command in the order in which this process received commands, from 1; 0 in a cluster
	Key        string   `json:"key,omitempty"` // unique key of the command; the ledger ignores a second command with the same key
	Time       int64    `json:"time"`          // Unix time
	Who        string   `json:"who"`           // name of the operator who gave the command
	Verb       Verb     `json:"verb"`
	Incident   string   `json:"incident,omitempty"`   // ID of the incident; empty if Name selects components
	Name       string   `json:"name"`                 // component, server, array or pattern, as the operator wrote it
	Components []string `json:"components,omitempty"` // names of the components that the command applies to; read-only, because several commands share the slice
	Text       string   `json:"text,omitempty"`       // text of a comment, or the cause that a label names
	Until      int64    `json:"until,omitempty"`      // Unix time at which a mute ends; 0 if the mute lasts until an unmute
}

// Numbers returns the numbers of the command's components in a system. It skips components
// that the system does not have.
func (c *Command) Numbers(system *topology.System) []int {
	var numbers []int
	for _, name := range c.Components {
		if n, ok := system.Lookup(name); ok {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
