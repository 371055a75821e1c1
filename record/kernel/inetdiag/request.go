package inetdiag

// A request is a message header, then a description of the wanted sockets:
//
//	16  family      u8   a dump ignores it
//	17  lengths of addresses   u8 each, ignored too
//	19  extensions  u8   bit n−1: attribute n
//	20  addresses, ports and cookie of one socket, ignored too
//	68  states      u32  bit n: state n
//	72  database    u32  0
//
// The kernel has two requests; this is the older. The newer request is for one family only. For
// each request the kernel scans its whole table of connections: up to half a million slots, even if
// few are used. The scan is nearly the whole cost of a sample of a hundred sockets.
const requestSize = 76

// A state is the kernel's number for the state of a TCP socket.
type state uint8

const (
	established state = 1
	finWait1    state = 4
	finWait2    state = 5
	closeWait   state = 8
	lastAck     state = 9
	listen      state = 10
	closing     state = 11
)

// states are the states of the sockets that a request asks for, as bits.
type states uint32

const (
	// moving are the states in which a socket sends or receives data, or waits for the
	// acknowledgement of data: one end may have closed long before the other.
	moving states = 1<<established | 1<<finWait1 | 1<<finWait2 | 1<<closeWait | 1<<lastAck | 1<<closing
	// listening is the state of listening sockets. They have no counters.
	listening states = 1 << listen
)

// fill makes the request for all TCP sockets in some states. It asks for tcp_info and congestion
// control, except for listening sockets.
func fill(request *[requestSize]byte, sequence uint32, s states) {
	*request = [requestSize]byte{}
	native.PutUint32(request[0:], requestSize)
	native.PutUint16(request[4:], messageSocket)
	native.PutUint16(request[6:], flagRequest|flagDump)
	native.PutUint32(request[8:], sequence)
	if s != listening {
		request[19] = 1<<(attributeInfo-1) | 1<<(attributeControl-1)
	}
	native.PutUint32(request[68:], uint32(s))
}
