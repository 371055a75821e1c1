package remotewrite

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are what senders may do.
type Options struct {
	MaxBody        int           `least:"1"` // bytes of a request as it is sent
	MaxDecoded     int           `least:"1"` // bytes of a request when it is unpacked
	MaxHeld        int64         `least:"1"` // bytes of requests that are being read, all together
	MaxSeries      int           `least:"1"` // in a request
	MaxSamples     int           `least:"1"` // in a request
	MaxLabels      int           `least:"1"` // of a series
	MaxLabelBytes  int           `least:"1"` // of a label's name and value together
	MaxUnpacked    int           `least:"1"` // requests that are unpacked at the same time
	RequestTimeout time.Duration `above:"0s"`
	// Sender names who sends a request, as shown in the status: a user, or an
	// address. nil: the address.
	Sender func(*http.Request) string
}

// DefaultOptions take what Prometheus, vmagent and Alloy send as they come, and
// hold 200 MB at most.
func DefaultOptions() Options {
	return Options{
		MaxBody:        16 << 20,
		MaxDecoded:     32 << 20,
		MaxHeld:        64 << 20,
		MaxSeries:      50_000,
		MaxSamples:     250_000,
		MaxLabels:      64,
		MaxLabelBytes:  4 << 10,
		MaxUnpacked:    2,
		RequestTimeout: 30 * time.Second,
	}
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	if err := bounds.Check(*o); err != nil {
		return fmt.Errorf("remote write: %w", err)
	}
	return nil
}

// senderOf is who sends a request.
func (o *Options) senderOf(r *http.Request) string {
	if o.Sender != nil {
		return o.Sender(r)
	}
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}
