package inetdiag

import (
	"errors"
	"os"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// ErrUnsupported is the error of kernels without inet_diag for TCP. Other errors may wrap it.
var ErrUnsupported = errors.New("the kernel has no inet_diag for TCP: load the module tcp_diag, or record without connections")

// Options of a [Counter].
type Options struct {
	// Loopback adds connections of the machine with itself. They do not use the network, so they
	// show nothing about it.
	Loopback bool
	// IdleSamples is the number of samples for which a remote host without sockets stays listed.
	IdleSamples int
	// MaxIdle is the largest number of remote hosts without sockets that stay listed. The hosts
	// that have been without sockets for the longest time are dropped first.
	MaxIdle int
}

// DefaultOptions keep idle hosts for an hour, at a sample a second: jobs come back after minutes,
// and a reader sees the growth of sums only while hosts are listed. 256 idle remote hosts take 24
// kB in a record, as much as a few hundred disks.
func DefaultOptions() Options {
	return Options{IdleSamples: 3600, MaxIdle: 256}
}

// Validate returns an error if an option is out of bounds.
func (o *Options) Validate() error { return bounds.Check(*o) }

// A Counter sums the counters of sockets by remote host. It is for one goroutine.
type Counter struct {
	kernel    dialogue
	ledger    *ledger
	loopback  bool
	sockets   []socket // sockets of the current sample
	listening []socket
	listeners listeners
}

// Open returns a Counter. It sends a cheap request to the kernel, so that a kernel without
// inet_diag is found at once: see [ErrUnsupported].
func Open(o Options) (*Counter, error) {
	return openVia(dial, o)
}

func openVia(dial func() (conn, error), o Options) (*Counter, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	c := &Counter{
		kernel:    newDialogue(dial),
		ledger:    newLedger(o.IdleSamples, o.MaxIdle),
		loopback:  o.Loopback,
		listeners: listeners{},
	}
	if err := c.findListeners(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Peers appends the sums of every remote host to dst, sorted by address, accepted before dialled.
// After an error nothing is lost: the next sample includes the growth of this sample.
func (c *Counter) Peers(dst []tcpstat.Peer) ([]tcpstat.Peer, error) {
	if err := c.findSockets(); err != nil {
		return dst, err
	}
	if c.ledger.recognise(c.sockets) < len(c.sockets) {
		if err := c.findListeners(); err != nil {
			return dst, err
		}
	}
	c.ledger.enter(c.sockets, c.listeners)
	return c.ledger.list(dst), nil
}

// Queues returns the receive and send queues at the last call of Peers: of the connections that
// this machine accepted, and of the connections that it opened.
func (c *Counter) Queues() (accepted, dialled hoststat.Queues) {
	return c.ledger.queues[0], c.ledger.queues[1]
}

// Close closes the connection to the kernel.
func (c *Counter) Close() error {
	c.kernel.dial = func() (conn, error) { return nil, os.ErrClosed }
	return c.kernel.close()
}

func (c *Counter) findSockets() (err error) {
	c.sockets, err = c.kernel.ask(c.sockets[:0], moving)
	c.sockets = withoutRemains(c.sockets)
	if !c.loopback {
		c.sockets = withoutLoopback(c.sockets)
	}
	return err
}

// findListeners reads the listening sockets. It is called after new sockets were seen, not before:
// a listener exists before the sockets that it accepts.
func (c *Counter) findListeners() (err error) {
	c.listening, err = c.kernel.ask(c.listening[:0], listening)
	if err == nil {
		c.listeners.set(c.listening)
	}
	return err
}
