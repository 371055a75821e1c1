package checklist

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/onset"
)

// Options are the bounds of the list.
type Options struct {
	// ForgetSeconds is how long a metric in which a server was suspect counts
	// after it last showed.
	ForgetSeconds int64         `json:"forget_seconds"`
	Onset         onset.Options `json:"onset"`
}

// DefaultOptions forget after a day, which is longer than any run of the paper.
func DefaultOptions() Options {
	return Options{ForgetSeconds: 86400, Onset: onset.DefaultOptions()}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	err := o.Onset.Validate()
	if o.ForgetSeconds < 1 {
		err = errors.Join(err, fmt.Errorf("forget_seconds of %d: at least 1 is needed", o.ForgetSeconds))
	}
	return err
}
