package remotewrite

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the limits for senders.
type Options struct {
	MaxBody        int           `least:"1"` // bytes of a request as sent
	MaxDecoded     int           `least:"1"` // bytes of a request after unpacking
	MaxHeld        int64         `least:"1"` // bytes of all requests that are being read
	MaxSeries      int           `least:"1"` // series of a request
	MaxSamples     int           `least:"1"` // samples of a request
	MaxLabels      int           `least:"1"` // labels of a series
	MaxLabelBytes  int           `least:"1"` // bytes of a label's name and value together
	MaxUnpacked    int           `least:"1"` // requests that are unpacked at a time
	RequestTimeout time.Duration `above:"0s"`
	// Sender returns the name of the sender as the status shows it: a user or
	// an address. nil stands for the address.
	Sender func(*http.Request) string
}

// DefaultOptions returns options that accept the requests that Prometheus,
// vmagent and Alloy send by default, and that hold at most 200 MB.
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

// Validate reports what is wrong with the options.
func (o *Options) Validate() error {
	if err := bounds.Check(*o); err != nil {
		return fmt.Errorf("remote write: %w", err)
	}
	return nil
}

// senderOf returns the name of the sender of a request.
func (o *Options) senderOf(r *http.Request) string {
	if o.Sender != nil {
		return o.Sender(r)
	}
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}
