package remotewrite

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// Options are what senders may do.
type Options struct {
	MaxBody        int   // bytes of a request as it is sent
	MaxDecoded     int   // bytes of a request when it is unpacked
	MaxHeld        int64 // bytes of requests that are being read, all together
	MaxSeries      int   // in a request
	MaxSamples     int   // in a request
	MaxLabels      int   // of a series
	MaxLabelBytes  int   // of a label's name and value together
	MaxUnpacked    int   // requests that are unpacked at the same time
	RequestTimeout time.Duration
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
	for name, n := range map[string]int64{
		"MaxBody": int64(o.MaxBody), "MaxDecoded": int64(o.MaxDecoded), "MaxHeld": o.MaxHeld,
		"MaxSeries": int64(o.MaxSeries), "MaxSamples": int64(o.MaxSamples), "MaxLabels": int64(o.MaxLabels), "MaxLabelBytes": int64(o.MaxLabelBytes),
		"MaxUnpacked": int64(o.MaxUnpacked), "RequestTimeout": int64(o.RequestTimeout),
	} {
		if n <= 0 {
			return fmt.Errorf("remote write: %s is %d: give more than 0", name, n)
		}
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
