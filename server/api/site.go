package api

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/engine/command"
)

// A Site is a running diagnosis as the API sees it. All methods may be called from
// many goroutines at once, return soon after the context has ended, and never wait
// for the diagnosis.
type Site interface {
	// Standing is how things stand. It is never nil, and what it points to does
	// not change any more.
	Standing() *Standing
	Archive
	Plots
	Desk
	Acting
	Upkeep
}

// Archive is what is kept of incidents.
type Archive interface {
	// Past lists incidents, those that began last first: at most q.Limit that come
	// after the incident q.After in this order.
	Past(ctx context.Context, q PastQuery) ([]Record, error)
	// Incident is one with all that happened to it, or [ErrNotFound].
	Incident(ctx context.Context, id string) (*Kept, error)
	// Events are at most limit events whose numbers are above after, in order.
	Events(ctx context.Context, after int64, limit int) ([]Event, error)
}

// Plots are numbers over time and over the system.
type Plots interface {
	Series(ctx context.Context, q SeriesQuery) (*Series, error)
	Map(ctx context.Context, q MapQuery) (*Map, error)
	// Fleet never waits for a count: it says how far that is.
	Fleet(ctx context.Context, q FleetQuery) (*Fleet, error)
	Latencies(ctx context.Context, q LatenciesQuery) (*Latencies, error)
}

// Desk is where operators answer back.
type Desk interface {
	// Apply executes an operator's command between two rows. The command is durable
	// when Apply returns. The result has the time that the command got.
	Apply(ctx context.Context, c command.Command) (Said, error)
	// Note writes into the audit trail. A change is noted before it is made.
	Note(ctx context.Context, d Deed) error
	// Audit lists at most limit entries of the trail, newest first, whose numbers
	// are below before; 0: from the newest on.
	Audit(ctx context.Context, before int64, limit int) ([]Deed, error)
}

// Upkeep is what a server does for whoever runs it.
type Upkeep interface {
	// Configuration is what the server was told to do, as a value that package json
	// can write, without secrets.
	Configuration() any
	// Reload reads configuration and topology again.
	Reload(ctx context.Context) (Reloaded, error)
	// Backup writes all that is needed to go on elsewhere, as one archive.
	Backup(ctx context.Context, w io.Writer) error
}

// ErrNotFound is the error of what a site does not have.
var ErrNotFound = errors.New("not found: no incident or component has this name")

// Refusal is an error whose text may be shown to whoever asked: one plain sentence
// that says what was wrong with the request, and what would do.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return r.Text }

// Refusef makes a refusal.
func Refusef(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }
