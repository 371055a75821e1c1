package inetdiag

import (
	"errors"
	"fmt"
	"syscall"
)

// A conn carries requests to the kernel and its answers back.
type conn interface {
	Write(request []byte) (int, error)
	Read(datagram []byte) (int, error)
	Close() error
}

// datagramSize is twice the largest datagram of a dump, in bytes.
const datagramSize = 64 << 10

// A dialogue sends requests to the kernel. It keeps its connection until an error. After an error
// it opens a new connection, because the old connection may still hold the rest of an answer.
type dialogue struct {
	dial     func() (conn, error)
	conn     conn // nil: not open
	request  [requestSize]byte
	datagram []byte
	sequence uint32
}

func newDialogue(dial func() (conn, error)) dialogue {
	return dialogue{dial: dial, datagram: make([]byte, datagramSize)}
}

// ask appends all TCP sockets in some states to dst. It asks a second time if the first dump was
// interrupted or failed with a temporary error. Two interrupted dumps are no error, because a
// socket may be missing in a sample.
func (d *dialogue) ask(dst []socket, s states) ([]socket, error) {
	had := len(dst)
	a, err := d.exchange(dst, s)
	if err == nil && a.interrupted || err != nil && isTemporary(err) {
		a, err = d.exchange(a.sockets[:had], s)
	}
	if err != nil {
		return a.sockets, fmt.Errorf("TCP sockets cannot be listed: %w", err)
	}
	return a.sockets, nil
}

// isTemporary reports whether an error is temporary: answers came faster than they were read,
// another dump was under way, or the answer was incomplete.
func isTemporary(err error) bool {
	return errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.EBUSY) || errors.Is(err, errTorn)
}

// exchange sends a request and reads the whole answer.
func (d *dialogue) exchange(dst []socket, s states) (answer, error) {
	d.sequence++
	a := answer{sequence: d.sequence, sockets: dst}
	err := d.send(s)
	for err == nil && !a.done {
		err = d.receive(&a)
	}
	if err != nil {
		err = errors.Join(err, d.close())
	}
	return a, err
}

func (d *dialogue) send(s states) (err error) {
	if d.conn == nil {
		if d.conn, err = d.dial(); err != nil {
			return err
		}
	}
	fill(&d.request, d.sequence, s)
	_, err = d.conn.Write(d.request[:])
	return err
}

func (d *dialogue) receive(a *answer) error {
	n, err := d.conn.Read(d.datagram)
	switch {
	case err != nil:
		return err
	case n == 0:
		return errTorn
	}
	return a.take(d.datagram[:n])
}

func (d *dialogue) close() error {
	if d.conn == nil {
		return nil
	}
	err := d.conn.Close()
	d.conn = nil
	return err
}
