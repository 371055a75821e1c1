package testbench

// A conn is what one machine sends another: over one socket on PVFS, over
// three on Lustre, whose messages, data in and data out have one each.
type conn struct {
	bulk    *flow
	control *flow // nil where everything goes over one socket
}

// smallBytes is the size up to which Lustre calls it a message.
const smallBytes = 4096

func newConn(fs FileSystem, from, to *port) *conn {
	c := &conn{bulk: newFlow(from, to)}
	if fs == Lustre {
		c.control = newFlow(from, to)
	}
	return c
}

// send queues a message on the socket that it belongs to.
func (c *conn) send(w *wire, o *op, bytes, now float64) {
	if c.control != nil && bytes <= smallBytes {
		c.control.send(w, o, bytes, now)
		return
	}
	c.bulk.send(w, o, bytes, now)
}

// sockets is how many there are, and window the mean of their cwnd. Of
// Lustre's the third carries data the other way, and nothing this way.
func (c *conn) sockets() int {
	if c.control == nil {
		return 1
	}
	return 3
}

func (c *conn) window() float64 {
	if c.control == nil {
		return c.bulk.window()
	}
	return (c.bulk.window() + c.control.window() + initialCwnd) / 3
}

// lose sets the part of packets that is lost on the way.
func (c *conn) lose(rate float64) {
	c.bulk.lose(rate)
	if c.control != nil {
		c.control.lose(rate)
	}
}

// sample lets a recorder see the sockets.
func (c *conn) sample() {
	c.bulk.sample()
	if c.control != nil {
		c.control.sample()
	}
}

// cwndDelivered is that of all sockets.
func (c *conn) cwndDelivered() uint64 {
	sum := c.bulk.cwndDelivered
	if c.control != nil {
		sum += c.control.cwndDelivered
	}
	return uint64(sum)
}

// carried sums up what the sockets have sent.
func (c *conn) carried() (bytes, delivered, retransmitted float64) {
	bytes, delivered, retransmitted = c.bulk.bytes, c.bulk.delivered, c.bulk.retransmitted
	if c.control != nil {
		bytes += c.control.bytes
		delivered += c.control.delivered
		retransmitted += c.control.retransmitted
	}
	return bytes, delivered, retransmitted
}
