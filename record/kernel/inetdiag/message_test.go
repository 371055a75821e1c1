package inetdiag

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"syscall"
	"testing"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// appendMessage is a message as the kernel writes it.
func appendMessage(dst []byte, kind, flags uint16, sequence uint32, body []byte) []byte {
	dst = native.AppendUint32(dst, uint32(messageHeader+len(body)))
	dst = native.AppendUint16(dst, kind)
	dst = native.AppendUint16(dst, flags)
	dst = native.AppendUint32(dst, sequence)
	dst = append(native.AppendUint32(dst, 4711), body...)
	return append(dst, make([]byte, align(len(body))-len(body))...)
}

func appendAttribute(dst []byte, kind uint16, value []byte) []byte {
	dst = native.AppendUint16(dst, uint16(attributeHeader+len(value)))
	dst = append(native.AppendUint16(dst, kind), value...)
	return append(dst, make([]byte, align(len(value))-len(value))...)
}

// socketBody is a struct inet_diag_msg.
func socketBody(cookie uint64, local, remote netip.AddrPort) []byte {
	b := make([]byte, socketHeader)
	b[0], b[1] = familyIPv6, byte(established)
	if local.Addr().Is4() {
		b[0] = familyIPv4
	}
	binary.BigEndian.PutUint16(b[4:], local.Port())
	binary.BigEndian.PutUint16(b[6:], remote.Port())
	copy(b[8:], local.Addr().AsSlice())
	copy(b[24:], remote.Addr().AsSlice())
	native.PutUint64(b[44:], cookie)
	return b
}

var (
	server = netip.MustParseAddrPort("10.0.0.1:2049")
	client = netip.MustParseAddrPort("10.0.0.3:40000")
)

// socketMessage is a message about a socket with a cookie, in answer 7.
func socketMessage(cookie uint64, attributes ...byte) []byte {
	return appendMessage(nil, messageSocket, 0, 7, append(socketBody(cookie, server, client), attributes...))
}

func doneMessage(flags uint16, code int32) []byte {
	return appendMessage(nil, messageDone, flags, 7, native.AppendUint32(nil, uint32(code)))
}

func TestTake(t *testing.T) {
	long := socketMessage(1)
	native.PutUint32(long, uint32(len(long)+1))
	endless := socketMessage(1)
	native.PutUint32(endless, 0)
	other := socketBody(1, server, client)
	other[0] = 1
	errorMessage := appendMessage(nil, messageError, 0, 7, native.AppendUint32(nil, ^uint32(syscall.EBUSY)+1))
	tests := map[string]struct {
		datagram    []byte
		sockets     int
		done        bool
		interrupted bool
		err         error
	}{
		"nothing":               {},
		"a socket":              {datagram: socketMessage(1), sockets: 1},
		"two and the end":       {datagram: slices.Concat(socketMessage(1), socketMessage(2), doneMessage(0, 0)), sockets: 2, done: true},
		"nothing counts behind": {datagram: slices.Concat(doneMessage(0, 0), socketMessage(1)), done: true},
		"interrupted":           {datagram: doneMessage(flagInterrupted, 0), done: true, interrupted: true},
		"an end without errno":  {datagram: appendMessage(nil, messageDone, 0, 7, nil), done: true},
		"an end with an error":  {datagram: doneMessage(0, -int32(syscall.EBUSY)), done: true, err: syscall.EBUSY},
		"no tcp_diag":           {datagram: doneMessage(0, -int32(syscall.ENOENT)), done: true, err: ErrUnsupported},
		"an error":              {datagram: errorMessage, done: true, err: syscall.EBUSY},
		"another's answer":      {datagram: appendMessage(nil, messageDone, 0, 6, nil)},
		"an unknown type":       {datagram: appendMessage(nil, 99, 0, 7, nil)},
		"a torn header":         {datagram: socketMessage(1)[:messageHeader-1], err: errTorn},
		"a torn socket":         {datagram: socketMessage(1)[:80], err: errTorn},
		"too short a socket":    {datagram: appendMessage(nil, messageSocket, 0, 7, make([]byte, socketHeader-1)), sockets: 1, err: errTorn},
		"a length beyond":       {datagram: long, err: errTorn},
		"no length":             {datagram: endless, err: errTorn},
		"a torn attribute":      {datagram: socketMessage(1, 200, 0, 2, 0), sockets: 1, err: errTorn},
		"an endless attribute":  {datagram: socketMessage(1, 0, 0, 0, 0), sockets: 1, err: errTorn},
		"padding left over":     {datagram: socketMessage(1, 0, 0, 0), sockets: 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := answer{sequence: 7}
			err := a.take(tt.datagram)
			if !errors.Is(err, tt.err) || len(a.sockets) != tt.sockets || a.done != tt.done || a.interrupted != tt.interrupted {
				t.Errorf("got %v and %+v, want %+v", err, a, tt)
			}
		})
	}
	if err := (&answer{sequence: 7}).take(appendMessage(nil, messageSocket, 0, 7, other)); err == nil {
		t.Error("a socket of family 1 was taken")
	}
}

func TestDecodeSocket(t *testing.T) {
	v6 := netip.MustParseAddrPort("[2001:db8::1]:445")
	mapped := netip.MustParseAddrPort("[::ffff:10.0.0.3]:445")
	tcpInfo := make([]byte, 248)
	native.PutUint32(tcpInfo[atWindow:], 31)
	attributes := appendAttribute(nil, 15, make([]byte, 3))
	attributes = appendAttribute(attributes, attributeV6Only, []byte{1})
	attributes = appendAttribute(attributes, attributeInfo|1<<15, tcpInfo)
	attributes = appendAttribute(attributes, attributeControl, []byte("cubic\x00"))
	long := appendAttribute(nil, attributeControl, []byte("a name longer than any"))
	tests := map[string]struct {
		body []byte
		want socket
	}{
		"IPv4":        {socketBody(1, server, client), socket{cookie: 1, state: established, local: server, remote: client}},
		"IPv6":        {socketBody(1<<40, v6, v6), socket{cookie: 1 << 40, state: established, local: v6, remote: v6}},
		"mapped":      {socketBody(3, mapped, mapped), socket{cookie: 3, state: established, local: mapped, remote: mapped}},
		"attributes":  {append(socketBody(4, v6, v6), attributes...), socket{cookie: 4, state: established, local: v6, remote: v6, v6Only: true, counts: true, info: info{cwnd: 31}, hold: hold{closed: true, closedThere: true}, control: tcpstat.ControlOf("cubic")}},
		"a long name": {append(socketBody(5, v6, v6), long...), socket{cookie: 5, state: established, local: v6, remote: v6, control: tcpstat.ControlOf("a name longer t")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got socket
			if err := got.decode(tt.body); err != nil || got != tt.want {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

// FuzzTake: whatever the kernel says, nothing panics, and no more sockets are
// found than fit.
func FuzzTake(f *testing.F) {
	full := appendAttribute(nil, attributeInfo, make([]byte, 280))
	f.Add(slices.Concat(socketMessage(1, full...), socketMessage(2), doneMessage(flagInterrupted, -2)))
	f.Add(socketMessage(1, appendAttribute(nil, attributeInfo, make([]byte, 104))...))
	f.Add(socketMessage(1, appendAttribute(nil, attributeV6Only, nil)...))
	f.Add(appendMessage(nil, messageError, 0, 7, []byte{1, 2, 3}))
	f.Fuzz(func(t *testing.T, datagram []byte) {
		a := answer{sequence: 7}
		err := a.take(datagram)
		if whole := len(datagram) / messageHeader; len(a.sockets) > whole {
			t.Fatalf("%d sockets in %d bytes", len(a.sockets), len(datagram))
		}
		if err != nil {
			return
		}
		for _, s := range a.sockets {
			if !s.local.IsValid() || !s.remote.IsValid() {
				t.Fatalf("a socket without an address: %+v", s)
			}
		}
	})
}
