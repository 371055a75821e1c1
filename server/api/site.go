package api

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/engine/command"
)

// A Site is a running diagnosis. All methods are safe for concurrent use, return soon after the
// context has ended, and never wait for the diagnosis.
type Site interface {
	// Result returns the result of the diagnosis. It is never nil and never changes.
	Result() *Result
	Archive
	Plots
	Desk
	Acting
	Upkeep
}

// Archive gives access to stored incidents and events.
type Archive interface {
	// Past lists incidents; the incident that began last is first. It returns at most q.Limit
	// incidents that follow the incident q.After in this order.
	Past(ctx context.Context, q PastQuery) ([]Record, error)
	// Incident returns an incident with its whole history, or [ErrNotFound].
	Incident(ctx context.Context, id string) (*Kept, error)
	// Events returns, in order, at most limit events whose numbers are greater than after.
	Events(ctx context.Context, after int64, limit int) ([]Event, error)
}

// Plots gives access to numbers over time and over the system.
type Plots interface {
	Series(ctx context.Context, q SeriesQuery) (*Series, error)
	Map(ctx context.Context, q MapQuery) (*Map, error)
	// Fleet does not wait until counting is complete; the answer holds the progress.
	Fleet(ctx context.Context, q FleetQuery) (*Fleet, error)
	Latencies(ctx context.Context, q LatenciesQuery) (*Latencies, error)
}

// Desk executes the commands of operators and writes the audit trail.
type Desk interface {
	// Apply executes an operator's command between two rows. The command is durable when Apply
	// returns. The result holds the time at which the command was executed.
	Apply(ctx context.Context, c command.Command) (Said, error)
	// Note adds an entry to the audit trail. A change is noted before it is made.
	Note(ctx context.Context, d Deed) error
	// Audit lists at most limit entries of the trail, newest first, whose numbers are less than
	// before; 0: from the newest on.
	Audit(ctx context.Context, before int64, limit int) ([]Deed, error)
}

// Upkeep has the functions for administrators of the server.
type Upkeep interface {
	// Configuration returns the configuration of the server, without secrets, as a value that
	// encoding/json can write.
	Configuration() any
	// Reload reads the configuration and the topology again.
	Reload(ctx context.Context) (Reloaded, error)
	// Backup writes an archive with all that is needed to continue on another machine.
	Backup(ctx context.Context, w io.Writer) error
}

// ErrNotFound is the error for an incident or component that the site does not have.
var ErrNotFound = errors.New("not found: no incident or component has this name")

// Refusal is an error whose text may be shown to the client: one plain sentence that says what is
// wrong with the request, and how to correct it.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return r.Text }

// Refusef returns a [Refusal] with a formatted text.
func Refusef(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }
