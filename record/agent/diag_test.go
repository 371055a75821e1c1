package agent

import (
	"bytes"
	"errors"
	"net"
	"testing"

	"github.com/limpet-storage/limpet/record/kernel/inetdiag"
)

// withTCP is a machine with a connection, to itself.
func withTCP(t *testing.T) *machine {
	o := plant(t)
	o.TCP.Loopback = true
	m := opened(t, o, &bytes.Buffer{})
	if errors.Is(m.tcpError, inetdiag.ErrUnsupported) {
		t.Skip("needs a kernel with inet_diag: ", m.tcpError)
	}
	connect(t)
	return m
}

// connect makes a connection that lasts as long as the test.
func connect(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
}
