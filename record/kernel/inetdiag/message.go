package inetdiag

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
)

// The kernel answers a request with datagrams of messages, in the byte order of the machine.
//
//	 0  length     u32  with this header, without padding
//	 4  type       u16  18: a socket, 2: an error, 3: the end
//	 6  flags      u16  16: the sockets changed during the dump
//	 8  sequence   u32  the same as in the request
//	12  port       u32
//	16  body, padded to a multiple of 4 bytes
//
// An error and the end begin with an errno, negative or 0.
const (
	messageHeader = 16

	messageError  = 2
	messageDone   = 3
	messageSocket = 18

	flagRequest     = 0x001
	flagInterrupted = 0x010
	flagDump        = 0x300
)

var native = binary.NativeEndian

// errTorn is the error for an answer that was cut off.
var errTorn = errors.New("the answer of the kernel was incomplete; if this happens again, report the problem with the version of the kernel")

// A message is a message of a datagram.
type message struct {
	kind, flags uint16
	sequence    uint32
	body        []byte
}

// cutMessage returns the first message of a datagram, and the rest.
func cutMessage(datagram []byte) (m message, rest []byte, err error) {
	if len(datagram) < messageHeader {
		return m, nil, errTorn
	}
	length := int64(native.Uint32(datagram))
	if length < messageHeader || length > int64(len(datagram)) {
		return m, nil, errTorn
	}
	m = message{
		kind: native.Uint16(datagram[4:]), flags: native.Uint16(datagram[6:]),
		sequence: native.Uint32(datagram[8:]), body: datagram[messageHeader:length],
	}
	return m, datagram[min(align(int(length)), len(datagram)):], nil
}

// align returns the length with padding.
func align(length int) int { return (length + 3) &^ 3 }

// failure returns the error at the beginning of a message, or nil. The end of an old kernel's
// answer has no errno.
func (m *message) failure() error {
	if len(m.body) < 4 {
		return nil
	}
	switch code := -int32(native.Uint32(m.body)); {
	case code <= 0:
		return nil
	case syscall.Errno(code) == syscall.ENOENT, syscall.Errno(code) == syscall.EOPNOTSUPP:
		return ErrUnsupported
	default:
		return fmt.Errorf("the kernel refuses to list TCP connections: %w", syscall.Errno(code))
	}
}

// An answer holds what was parsed so far of the answer of the kernel.
type answer struct {
	sequence    uint32
	sockets     []socket
	interrupted bool // the dump may have missed sockets
	done        bool
}

// take parses a datagram. It skips messages that answer an earlier request.
func (a *answer) take(datagram []byte) error {
	for len(datagram) > 0 && !a.done {
		m, rest, err := cutMessage(datagram)
		if err != nil {
			return err
		}
		if m.sequence == a.sequence {
			if err := a.takeMessage(&m); err != nil {
				return err
			}
		}
		datagram = rest
	}
	return nil
}

func (a *answer) takeMessage(m *message) error {
	a.interrupted = a.interrupted || m.flags&flagInterrupted != 0
	switch m.kind {
	case messageError, messageDone:
		a.done = true
		return m.failure()
	case messageSocket:
		a.sockets = append(a.sockets, socket{})
		return a.sockets[len(a.sockets)-1].decode(m.body)
	}
	return nil
}
