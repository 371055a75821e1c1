package inetdiag

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// patience is the time limit for the next part of an answer, in seconds. The kernel needs
// microseconds. A sampler that hangs would be worse than a gap.
const patience = 5

// netlink is a socket that is connected to the kernel, so that no other process can answer. It is
// read without the poller of the Go runtime, because the answers are available at once.
type netlink int

// dial opens a netlink socket.
func dial() (conn, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, explain(err)
	}
	err = errors.Join(
		unix.Connect(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: patience}),
	)
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("cannot open a netlink socket to the kernel: %w", err)
	}
	return netlink(fd), nil
}

// explain adds the cure to the error of a netlink socket that cannot be opened.
func explain(err error) error {
	switch {
	case errors.Is(err, unix.EPROTONOSUPPORT):
		return fmt.Errorf("%w (%w)", ErrUnsupported, err)
	case errors.Is(err, unix.EAFNOSUPPORT), errors.Is(err, os.ErrPermission):
		return fmt.Errorf("cannot open a netlink socket: allow AF_NETLINK for this service (RestrictAddressFamilies= in its unit): %w", err)
	}
	return fmt.Errorf("cannot open a netlink socket: %w", err)
}

// Write sends a request.
func (n netlink) Write(request []byte) (int, error) {
	for {
		written, err := unix.Write(int(n), request)
		if err != unix.EINTR {
			return written, os.NewSyscallError("netlink socket: write", err)
		}
	}
}

// Read receives a part of the answer.
func (n netlink) Read(datagram []byte) (int, error) {
	for {
		read, err := unix.Read(int(n), datagram)
		switch err {
		case unix.EINTR:
		case unix.EAGAIN:
			return 0, fmt.Errorf("the kernel has not answered for %d s: try again when the machine is less busy", patience)
		default:
			return max(read, 0), os.NewSyscallError("netlink socket: read", err)
		}
	}
}

// Close closes the socket.
func (n netlink) Close() error { return unix.Close(int(n)) }
