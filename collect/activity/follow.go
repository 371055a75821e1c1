package activity

import (
	"context"
	"errors"
	"time"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// FollowOptions say how files that grow are followed. The zero value follows
// them from their beginning, for ever.
type FollowOptions struct {
	// LateSeconds is how long a step is kept open for a machine that is
	// behind, counted from when a punctual machine has the step: two steps
	// after its end, as a step is given out when the next one closes. 0 takes
	// two steps.
	LateSeconds int64
	// Poll is how often files are looked at; 0 takes a quarter of a step, at
	// the most a second.
	Poll time.Duration
	// After is the end of the last row that an earlier process gave out: rows
	// begin after it, and are those that it would have gone on with. Files
	// that certainly end before are not opened. 0 begins with the oldest file.
	After int64
	// Found is what Found said in the earlier process, so that components
	// whose files are gone by now stay in the system.
	Found []topology.Seen
	// Now is the clock that lateness goes by; nil takes time.Now.
	Now func() time.Time
	// Once reads what is there and ends with io.EOF, as Open does. Nothing is
	// late then.
	Once bool
}

// Following is the rows of activity files that grow. It is a collect.Source
// whose Next also returns collect.ErrChanged, first of all when the first
// system is found: until then System is nil.
type Following struct{}

var errNotYet = errors.New("not yet")

// Follow follows the activity files among paths, which may be files and
// directories that do not exist yet. It reads what is there at full speed and
// then goes on as files grow, come and go. It returns at once; ctx ends all of
// it, as Close does.
func Follow(ctx context.Context, paths []string, o Options, f FollowOptions) (*Following, error) {
	return nil, errNotYet
}

// System is what the rows are about, nil until Next first returned
// collect.ErrChanged. It changes only when Next returns that.
func (f *Following) System() *topology.System { return nil }

// Schema says what the rows hold. Its step and its metrics stay as they were
// at first; the number of components changes with the system.
func (f *Following) Schema() table.Schema { return table.Schema{} }

// Next returns the next row once it is closed, and blocks until then. It
// returns collect.ErrChanged when the system has changed, and io.EOF only
// where Once was asked for.
func (f *Following) Next(ctx context.Context) (*table.Row, error) { return nil, errNotYet }

// SetSystem sets a topology that was read anew. It may be called from any
// goroutine; Next returns collect.ErrChanged when it is in force.
func (f *Following) SetSystem(s *topology.System) {}

// Found is what the files have shown so far, to be kept for the Found of a
// process that goes on. It may be called from any goroutine.
func (f *Following) Found() []topology.Seen { return nil }

// Warnings lists what is wrong with the input, at the most a hundred
// sentences. It may be called from any goroutine.
func (f *Following) Warnings() []collect.Warning { return nil }

// Progress says how far everything is. It may be called from any goroutine.
func (f *Following) Progress() Progress { return Progress{} }

// Close ends following and waits for what runs.
func (f *Following) Close() error { return nil }
