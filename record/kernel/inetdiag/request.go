package inetdiag

// A request is a message header, then which sockets are wanted:
//
//	16  family      u8   a dump ignores it
//	17  lengths of addresses   u8 each, ignored too
//	19  extensions  u8   bit n−1: attribute n
//	20  addresses, ports and cookie of one socket, ignored too
//	68  states      u32  bit n: state n
//	72  database    u32  0
//
// This is the older of the kernel's two requests. The newer one asks for one
// family, but the kernel looks through its whole table of connections for each
// (up to half a million places, however few are taken), and that is nearly all
// that a sample of a hundred sockets costs.
const requestSize = 76

// A state is the kernel's number for that of a TCP socket.
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

// states are those that a request asks for.
type states uint32

const (
	// moving are the states in which a socket sends or receives data, or has
	// some acknowledged: one end may have closed long before the other.
	moving states = 1<<established | 1<<finWait1 | 1<<finWait2 | 1<<closeWait | 1<<lastAck | 1<<closing
	// listening sockets count nothing.
	listening states = 1 << listen
)

// fill makes the request for all TCP sockets in some states, with tcp_info and
// congestion control where they count.
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
