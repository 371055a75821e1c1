package checklist

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the settings of the checklist.
type Options struct {
	// ForgetSeconds is the time for which a server counts as suspect in a metric. The time begins
	// at the end of the last window in which the server was suspect in this metric.
	ForgetSeconds int64 `json:"forget_seconds" least:"1"`
}

// DefaultOptions returns the default settings. ForgetSeconds is a day, which is longer than any
// experiment of the paper F10.
func DefaultOptions() Options {
	return Options{ForgetSeconds: 86400}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }
