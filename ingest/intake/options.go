package intake

import (
	"errors"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/ingest/scrape"
)

// Options describe which samples an Intake receives, and how it writes them into files.
type Options struct {
	Exporter exporter.Options      // how samples are converted to readings (states of servers)
	Remote   remotewrite.Options   // limits of requests that senders push
	Spool    exporter.SpoolOptions // options of the directory of activity files
	Jobs     []scrape.Job          // endpoints to scrape
	Stores   []Store               // stores to poll

	// Now returns the present time. It is required.
	Now func() time.Time
	// The Intake calls Report with a sentence about each new problem. Several goroutines may call
	// Report at the same time, and Report must return soon. Report may be nil.
	Report func(sentence string)
}

// DefaultOptions returns options for an intake that accepts pushed samples, and
// neither scrapes nor polls. Now must still be set.
func DefaultOptions() Options {
	return Options{
		Exporter: exporter.DefaultOptions(),
		Remote:   remotewrite.DefaultOptions(),
		Spool:    exporter.DefaultSpoolOptions(),
	}
}

// Validate reports all invalid options.
func (o *Options) Validate() error {
	errs := []error{o.Exporter.Validate(), o.Remote.Validate(), o.Spool.Validate(), scrape.Validate(o.Jobs), Validate(o.Stores)}
	if o.Now == nil {
		errs = append(errs, errors.New("internal error: Options.Now is not set"))
	}
	return errors.Join(errs...)
}
