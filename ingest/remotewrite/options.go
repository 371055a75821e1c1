package remotewrite

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the limits for senders. A field that begins with Max is the
// largest number that is allowed.
type Options struct {
	MaxBody        int           `least:"1"`  // largest size of a request before decompression, in bytes
	MaxDecoded     int           `least:"1"`  // largest size of a request after decompression, in bytes
	MaxHeld        int64         `least:"1"`  // largest total size of the requests that are being read, in bytes
	MaxSeries      int           `least:"1"`  // largest number of series of a request
	MaxSamples     int           `least:"1"`  // largest number of samples of a request
	MaxLabels      int           `least:"1"`  // largest number of labels of a series
	MaxLabelBytes  int           `least:"1"`  // largest size of the name and the value of a label together, in bytes
	MaxUnpacked    int           `least:"1"`  // largest number of requests that are decompressed at the same time
	RequestTimeout time.Duration `above:"0s"` // longest time to receive a request
	// Sender returns the name and the address of the sender of a request. limpet shows the name to
	// users. If Sender is nil, the name is the address.
	Sender func(*http.Request) exporter.Sender
}

// DefaultOptions returns options that accept the requests that Prometheus,
// vmagent and Alloy send by default. With these options, requests take at most
// 200 MB of memory.
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

// Validate returns an error if an option is invalid.
func (o *Options) Validate() error {
	if err := bounds.Check(*o); err != nil {
		return fmt.Errorf("remote write: %w", err)
	}
	return nil
}

func (o *Options) senderOf(r *http.Request) exporter.Sender {
	if o.Sender != nil {
		return o.Sender(r)
	}
	address := r.RemoteAddr
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	return exporter.Sender{Name: address, Address: address}
}
