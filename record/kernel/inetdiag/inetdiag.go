package inetdiag

import (
	"errors"
	"os"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// ErrUnsupported is in the chain of errors of kernels that cannot tell of
// their sockets.
var ErrUnsupported = errors.New("the kernel has no inet_diag for TCP: load the module tcp_diag, or record without connections")

// Options of a [Counter].
type Options struct {
	// Loopback adds connections of the machine with itself. They meet no
	// network, so they say nothing about one.
	Loopback bool
	// IdleSamples is for how many samples a remote host without sockets stays
	// listed.
	IdleSamples int
	// MaxIdle is how many remote hosts without sockets stay listed; those that
	// have been without for the longest leave first.
	MaxIdle int
}

// DefaultOptions keep an hour, at a sample a second: jobs come back after
// minutes, and a reader sees the growth of sums only while they are listed. 256
// idle remote hosts are 24 kB a record, as much as a few hundred disks.
func DefaultOptions() Options {
	return Options{IdleSamples: 3600, MaxIdle: 256}
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error { return bounds.Check(*o) }

// A Counter sums up what sockets count. It is for one goroutine.
type Counter struct {
	kernel    dialogue
	ledger    *ledger
	loopback  bool
	sockets   []socket // of the sample at hand
	listening []socket
	listeners listeners
}

// Open makes a Counter. It asks the kernel something cheap, so that one without
// inet_diag is found out at once: see [ErrUnsupported].
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

// Peers appends what is known of every remote host to dst, sorted by address,
// accepted before dialled. After an error nothing was counted: the next sample
// has it.
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

// Queues are the receive and send queues by the last call of Peers: of the connections that this
// machine accepted, and of those that it opened.
func (c *Counter) Queues() (accepted, dialled hoststat.Queues) {
	return c.ledger.queues[0], c.ledger.queues[1]
}

// Close ends the dialogue with the kernel.
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

// findListeners is called after new sockets were seen, not before: the
// listener of an accepted one was there first.
func (c *Counter) findListeners() (err error) {
	c.listening, err = c.kernel.ask(c.listening[:0], listening)
	if err == nil {
		c.listeners.set(c.listening)
	}
	return err
}
