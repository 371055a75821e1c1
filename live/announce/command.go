package announce

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// RefusedCommand is the error that is returned if a command cannot be executed. Text has the reason
// and, where possible, the operator's next step.
type RefusedCommand struct{ Text string }

func (e *RefusedCommand) Error() string { return e.Text }

// RecordCommand returns a function that writes a command into the ledger under the given key. The
// parameter `row` is the time at which the last row before the command ends, or 0 if there is no
// such row. If the command is a label, RecordCommand also stores it in Store.Causes. If the command
// is a mute, RecordCommand also stores it in Store.Muted. A new ledger may not have the incident of
// the command. Then the ledger stores the command without the ID of the incident, and only with the
// name of the place.
func (t *Store) RecordCommand(key string, row int64, c *command.Command) func(*ledger.Tx) error {
	kept := *c
	kept.Key = key
	switch c.Verb {
	case command.Label:
		t.Causes[c.Incident] = kept
	case command.Mute:
		t.noteMute(&kept)
	}
	return func(tx *ledger.Tx) error {
		err := tx.CommandAfter(row, &kept)
		if errors.Is(err, ledger.ErrUnknown) {
			alone := kept
			alone.Incident = ""
			err = tx.CommandAfter(row, &alone)
		}
		return err
	}
}

// Components returns the sorted indexes of the components that a command is about. The command
// names either components or an incident. The parameter `known` has the incidents of the diagnosis.
// If the command names one of these incidents, Components writes the name of the incident's place
// into the command. If the command names an incident that is over, the second result is the
// ledger's record of this incident. An incident that is over accepts only a comment or a label.
func (t *Store) Components(ctx context.Context, system *topology.System, known []incident.Incident, c *command.Command) (components []int, past *ledger.Record, err error) {
	if c.Incident == "" {
		if components = system.Match(c.Name); len(components) == 0 {
			err = &RefusedCommand{fmt.Sprintf("no component has the name %s: write the name of a component, or the ID of an incident", c.Name)}
		}
		if components = sortUnique(components); err == nil {
			err = checkAcceptedName(known, components, c)
		}
		return components, nil, err
	}
	at := slices.IndexFunc(known, func(in incident.Incident) bool { return in.ID == c.Incident })
	if at < 0 {
		past, err = t.pastIncident(ctx, c)
		return nil, past, err
	}
	switch {
	case c.Verb == command.Accept && !known[at].CanBeAccepted():
		return nil, nil, NotAccepted(c.Incident)
	case c.Verb == command.Resolve && known[at].Phase == incident.Cleared:
		return nil, nil, NotResolved(c.Incident, known[at].Ending)
	}
	c.Name = known[at].Place.Name
	for i := range known[at].Members {
		components = append(components, known[at].Members[i].Component)
	}
	return sortUnique(components), nil, nil
}

// NotAccepted returns the error for the command Accept about an incident that the command cannot
// end. Accept ends only incidents of the class finding.Past. An incident of this class is about a
// component that differs from its own past.
func NotAccepted(id string) *RefusedCommand {
	return &RefusedCommand{fmt.Sprintf("incident %s cannot be accepted: limpet can accept only an incident \"slower than before\", \"changed workload\" or \"noisy neighbour\". "+
		"To get no more notifications about incident %s, run limpet incidents mute %s", id, id, id)}
}

// NotResolved returns the error for the command Resolve about an incident that is over already.
func NotResolved(id string, ending incident.Ending) *RefusedCommand {
	if ending == incident.Resolved {
		return &RefusedCommand{fmt.Sprintf("incident %s is already resolved: nothing was changed", id)}
	}
	return &RefusedCommand{fmt.Sprintf("incident %s is already over: there is nothing to resolve", id)}
}

// checkAcceptedName checks the command Accept about a named part. It returns an error if the part
// has open incidents, but the command cannot end any of these incidents. If the part has no open
// incident, the command is allowed: limpet then learns again which latencies are usual for the part.
func checkAcceptedName(known []incident.Incident, components []int, c *command.Command) error {
	if c.Verb != command.Accept {
		return nil
	}
	if in := incident.NotAccepted(known, c.Name, components); in != nil {
		return NotAccepted(in.ID)
	}
	return nil
}

// sortUnique sorts a list and drops duplicates.
func sortUnique(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// pastIncident returns the ledger's record of the incident that a command names. The incident is
// over, so pastIncident refuses all commands except comments and labels.
func (t *Store) pastIncident(ctx context.Context, c *command.Command) (*ledger.Record, error) {
	kept, err := t.Ledger.Incident(ctx, c.Incident)
	switch {
	case errors.Is(err, ledger.ErrUnknown):
		return nil, &RefusedCommand{fmt.Sprintf("no incident has the ID %s: to see the IDs, run limpet incidents", c.Incident)}
	case err != nil:
		return nil, err
	case c.Verb == command.Resolve:
		return nil, NotResolved(c.Incident, kept.Ending)
	case c.Verb != command.Comment && c.Verb != command.Label:
		return nil, &RefusedCommand{fmt.Sprintf("incident %s is over: you can only add a comment or the cause of the incident", c.Incident)}
	}
	return kept, nil
}
