// Every program that can write to NATS can also write messages into the logs of the cluster. The
// functions here check the indexes, times and lengths in a message before the message is used. A
// message that fails the check is left out and reported.

package cluster

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// errForeign is the error for a message with content that no node of this version writes.
var errForeign = errors.New("a message in NATS does not come from a node of this cluster: check which other program writes to NATS")

func foreign(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), errForeign)
}

// maxAhead is the longest time by which a time in a message may be ahead of the clock of this node.
// Without this limit, a wrong message could have a time one year in the future. Such a message would
// end all mutes, and the ledger would drop all its entries because of their age.
const maxAhead = 24 * time.Hour

// checkTimes returns an error if a time is negative, or more than maxAhead after now.
func checkTimes(now time.Time, times ...int64) error {
	limit := now.Add(maxAhead).Unix()
	for _, t := range times {
		if t < 0 || t > limit {
			return foreign("a message from NATS has the time %d (Unix seconds), which is before 1970 or more than a day in the future", t)
		}
	}
	return nil
}

// check returns an error if an event names an unknown component or no incident, or has an
// impossible time. The parameter `components` is the number of components of the system.
func (e *Event) check(components int, now time.Time) error {
	if !e.Incident.IsWithin(components) {
		return foreign("an event from NATS names a component that the topology does not have")
	}
	if e.Incident.ID == "" {
		return foreign("an event from NATS names no incident")
	}
	return checkTimes(now, e.Time)
}

// check returns an error if a view (the present result of a task) has an impossible time. It also
// returns an error if the view names a component, metric or peer group that the stage does not have.
// The stage is the version of the plan that the view belongs to.
func (v *View) check(stage *plan.Stage, now time.Time) error {
	components, metrics, groups := len(stage.System.Components), len(stage.Metrics), len(stage.System.Groups)
	outside := func(i, n int) bool { return i < 0 || i >= n }
	s := &v.Summary
	for i := range s.Incidents {
		if !s.Incidents[i].IsWithin(components) {
			return foreign("an incident from NATS names a component that the topology does not have")
		}
	}
	for i := range s.Suspects {
		if !s.Suspects[i].IsWithin(components) {
			return foreign("a suspect from NATS names a component that the topology does not have")
		}
	}
	for _, list := range [][]persistence.Entry{s.Top, s.Accumulators} {
		if slices.ContainsFunc(list, func(e persistence.Entry) bool {
			return outside(e.Component, components) || outside(e.Last.Component, components) || outside(e.Metric, metrics)
		}) {
			return foreign("a value from NATS belongs to a component or metric that the topology does not have")
		}
	}
	for i := range v.Windows {
		w := &v.Windows[i]
		if outside(w.Group, groups) || outside(w.Metric, metrics) ||
			slices.ContainsFunc(w.Verdicts, func(d persistence.Verdict) bool { return outside(d.Component, components) }) {
			return foreign("a result from NATS belongs to a peer group, metric or component that the topology does not have")
		}
	}
	return checkTimes(now, v.Row, s.From, s.To)
}

// maxCommandBytes is the largest size of all texts of a command together, in bytes. The API accepts
// no larger requests.
const maxCommandBytes = 64 << 10

// checkCommand returns an error if an operator's command has an unknown verb, no key, or too many
// bytes.
func checkCommand(c *command.Command) error {
	switch {
	case !slices.Contains(command.Verbs(), c.Verb):
		return foreign("an operator's command from NATS has the unknown name %.20q", c.Verb)
	case c.Key == "", len(c.Key)+len(c.Who)+len(c.Incident)+len(c.Name)+len(c.Text) > maxCommandBytes:
		return foreign("an operator's command from NATS has no key, or more than %d bytes", maxCommandBytes)
	}
	return nil
}
