// Whoever can write to NATS can write messages. This file checks messages before they are used:
// their indexes, their times and their lengths. A message that fails is left out and reported.

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

// errForeign is the error of a message that no node of this version writes.
var errForeign = errors.New("no node of this cluster writes such a message: see who else writes to NATS")

func foreign(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), errForeign)
}

// maxAhead is the longest time by which a result may be ahead of the clock of this node. Results of
// next year would end all mutes, and the ledger would drop everything before them.
const maxAhead = 24 * time.Hour

// checkTimes returns an error if a time is negative, or too far ahead.
func checkTimes(now time.Time, times ...int64) error {
	limit := now.Add(maxAhead).Unix()
	for _, t := range times {
		if t < 0 || t > limit {
			return foreign("the time %d is no time of a row", t)
		}
	}
	return nil
}

// check checks an event of a system with so many components.
func (e *Event) check(components int, now time.Time) error {
	if !e.Incident.Within(components) {
		return foreign("an event has a component that the system does not have")
	}
	if e.Incident.ID == "" {
		return foreign("an event has no incident")
	}
	return checkTimes(now, e.Time)
}

// check checks a view of a stage.
func (v *View) check(stage *plan.Stage, now time.Time) error {
	components, metrics, groups := len(stage.System.Components), len(stage.Metrics), len(stage.System.Groups)
	outside := func(i, n int) bool { return i < 0 || i >= n }
	s := &v.Summary
	for i := range s.Incidents {
		if !s.Incidents[i].Within(components) {
			return foreign("an incident has a component that the system does not have")
		}
	}
	for i := range s.Suspects {
		if !s.Suspects[i].Within(components) {
			return foreign("a suspect has a component that the system does not have")
		}
	}
	for _, list := range [][]persistence.Entry{s.Top, s.Accumulators} {
		if slices.ContainsFunc(list, func(e persistence.Entry) bool {
			return outside(e.Component, components) || outside(e.Last.Component, components) || outside(e.Metric, metrics)
		}) {
			return foreign("an accumulator is of a component or metric that the system does not have")
		}
	}
	for i := range v.Windows {
		w := &v.Windows[i]
		if outside(w.Group, groups) || outside(w.Metric, metrics) ||
			slices.ContainsFunc(w.Verdicts, func(d persistence.Verdict) bool { return outside(d.Component, components) }) {
			return foreign("a window is of a group, metric or component that the system does not have")
		}
	}
	return checkTimes(now, v.Row, s.From, s.To)
}

// maxCommandBytes is the largest size of the texts of a command. The API takes no larger requests.
const maxCommandBytes = 64 << 10

// checkCommand checks an operator's command.
func checkCommand(c *command.Command) error {
	switch {
	case !slices.Contains([]command.Verb{command.Resolve, command.Mute, command.Unmute, command.Comment, command.Label}, c.Verb):
		return foreign("a command has the verb %.20q", c.Verb)
	case c.Key == "", len(c.Key)+len(c.Who)+len(c.Incident)+len(c.Name)+len(c.Text) > maxCommandBytes:
		return foreign("a command has no key, or more than %d bytes", maxCommandBytes)
	}
	return nil
}
