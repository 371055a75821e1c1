package inetdiag

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// The body of a message is a struct inet_diag_msg, then attributes.
//
//	 0  family      u8   2: IPv4, 10: IPv6
//	 1  state, timer, retransmissions   u8 each
//	 4  local port, remote port         u16 each, big endian
//	 8  local address, remote address   [16] each, IPv4 in the first 4
//	40  interface   u32
//	44  cookie      u64
//	52  expires, receive queue, send queue, user, inode   u32 each
//	72  attributes
//
// An attribute is its length, header included, its type (u16 each) and its
// value, padded to a multiple of 4 bytes.
const (
	socketHeader    = 72
	attributeHeader = 4

	familyIPv4 = 2
	familyIPv6 = 10

	attributeInfo    = 2  // struct tcp_info
	attributeControl = 4  // name of the congestion control, ended by a zero
	attributeV6Only  = 11 // u8, of listeners

	// attributeType is the mask of the type; the higher bits are flags of the encoding.
	attributeType = 1<<14 - 1
)

// A socket is the kernel's description of a socket. Addresses have the form of its family: an IPv6
// socket with an IPv4 connection has ::ffff:10.0.0.3.
type socket struct {
	cookie        uint64 // unique until the machine is rebooted
	state         state
	local, remote netip.AddrPort
	v6Only        bool
	unread        uint32 // bytes that no process has read yet
	unsent        uint32 // bytes that the remote host has not acknowledged
	counts        bool   // reports whether info is filled in
	info          info
	hold          hold
	control       tcpstat.Control
	account       *account // nil: the socket is new
}

func (s *socket) decode(body []byte) error {
	if len(body) < socketHeader {
		return errTorn
	}
	var local, remote netip.Addr
	switch family := body[0]; family {
	case familyIPv4:
		local, remote = netip.AddrFrom4([4]byte(body[8:])), netip.AddrFrom4([4]byte(body[24:]))
	case familyIPv6:
		local, remote = netip.AddrFrom16([16]byte(body[8:])), netip.AddrFrom16([16]byte(body[24:]))
	default:
		return fmt.Errorf("the kernel lists a TCP socket of family %d, which is neither IPv4 nor IPv6; report the problem with the version of the kernel", family)
	}
	s.local = netip.AddrPortFrom(local, binary.BigEndian.Uint16(body[4:]))
	s.remote = netip.AddrPortFrom(remote, binary.BigEndian.Uint16(body[6:]))
	s.state, s.cookie = state(body[1]), native.Uint64(body[44:])
	s.unread, s.unsent = native.Uint32(body[56:]), native.Uint32(body[60:])
	return s.decodeAttributes(body[socketHeader:])
}

func (s *socket) decodeAttributes(list []byte) error {
	for len(list) >= attributeHeader {
		length := int(native.Uint16(list))
		if length < attributeHeader || length > len(list) {
			return errTorn
		}
		value := list[attributeHeader:length]
		switch native.Uint16(list[2:]) & attributeType {
		case attributeInfo:
			s.counts, s.info, s.hold = true, tcpInfo(value).decode(), tcpInfo(value).hold()
		case attributeControl:
			s.control = controlOf(value)
		case attributeV6Only:
			s.v6Only = len(value) > 0 && value[0] != 0
		}
		list = list[min(align(length), len(list)):]
	}
	return nil
}

// controlOf returns a name up to its zero byte. Names of the kernel always fit into a Control.
func controlOf(value []byte) (c tcpstat.Control) {
	name, _, _ := bytes.Cut(value, []byte{0})
	copy(c[:len(c)-1], name)
	return c
}

// withoutLoopback removes the connections of the machine with itself, as far as one socket shows
// them.
func withoutLoopback(sockets []socket) []socket {
	return slices.DeleteFunc(sockets, func(s socket) bool {
		return s.remote.Addr().Unmap().IsLoopback() || s.remote.Addr() == s.local.Addr()
	})
}

// withoutRemains removes the entries that the kernel keeps for sockets after a close, while they
// wait for the other end. These entries have no counters, and their cookies differ from the
// sockets' cookies.
func withoutRemains(sockets []socket) []socket {
	return slices.DeleteFunc(sockets, func(s socket) bool { return s.state != established && !s.counts })
}
