package intake

import (
	"errors"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/ingest/scrape"
)

// Options are how samples that are pushed, pulled and polled become files.
type Options struct {
	Exporter exporter.Options      // how samples become readings
	Remote   remotewrite.Options   // what senders may do
	Spool    exporter.SpoolOptions // how files are kept
	Jobs     []scrape.Job          // what is pulled
	Stores   []Store               // what is polled

	// Now is the wall clock. It tells late from lost, and nothing else.
	Now func() time.Time
	// Report hears of trouble as it begins, a sentence each; nil: nobody does.
	// It is called by several goroutines at a time, and must return soon.
	Report func(sentence string)
}

// DefaultOptions pull nothing and take what is pushed.
func DefaultOptions() Options {
	return Options{
		Exporter: exporter.DefaultOptions(),
		Remote:   remotewrite.DefaultOptions(),
		Spool:    exporter.DefaultSpoolOptions(),
	}
}

// Validate says everything that is wrong with the options.
func (o *Options) Validate() error {
	errs := []error{o.Exporter.Validate(), o.Remote.Validate(), o.Spool.Validate(), scrape.Validate(o.Jobs), Validate(o.Stores)}
	if o.Now == nil {
		errs = append(errs, errors.New("no clock: set Options.Now"))
	}
	return errors.Join(errs...)
}
