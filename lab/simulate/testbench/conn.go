package testbench

// A conn is what one machine sends another: over one socket on PVFS, over
// three on Lustre, whose messages, data in and data out have one each.
type conn struct {
	bulk    *flow
	control *flow   // nil where everything goes over one socket
	idle    int     // sockets beside, that carry nothing
	initial float64 // window of those
}

type flow = tcpFlow[*op]

// smallBytes is the size up to which Lustre calls it a message.
const smallBytes = 4096

func (s *sim) newConn(from, to *port, idle int) *conn {
	c := &conn{bulk: newFlow[*op](&s.net, from, to), initial: s.net.InitialCwnd, idle: idle}
	if s.e.Cluster.FileSystem == Lustre {
		c.control = newFlow[*op](&s.net, from, to)
	}
	return c
}

// send queues a message on the socket that it belongs to.
func (c *conn) send(w *tcpNetwork[*op], o *op, bytes, now float64) {
	if c.control != nil && bytes <= smallBytes {
		c.control.Send(w, o, bytes, now)
		return
	}
	c.bulk.Send(w, o, bytes, now)
}

// sockets is how many there are, and window the mean of their cwnd. Of
// Lustre's the third carries data the other way, and nothing this way.
func (c *conn) sockets() int {
	if c.control == nil {
		return 1 + c.idle
	}
	return 3 + c.idle
}

func (c *conn) window() float64 {
	sum := c.bulk.Window() + float64(c.idle)*c.initial
	if c.control != nil {
		sum += c.control.Window() + c.initial
	}
	return sum / float64(c.sockets())
}

// lose sets the part of packets that is lost on the way.
func (c *conn) lose(rate float64) {
	c.bulk.Lose(rate)
	if c.control != nil {
		c.control.Lose(rate)
	}
}

// sample lets a recorder see the sockets.
func (c *conn) sample() {
	c.bulk.Sample()
	if c.control != nil {
		c.control.Sample()
	}
}

// cwndDelivered is that of all sockets.
func (c *conn) cwndDelivered() uint64 {
	sum := c.bulk.CwndDelivered
	if c.control != nil {
		sum += c.control.CwndDelivered
	}
	return uint64(sum)
}

// carried sums up what the sockets have sent.
func (c *conn) carried() (bytes, delivered, retransmitted float64) {
	bytes, delivered, retransmitted = c.bulk.Bytes, c.bulk.Delivered, c.bulk.Retransmitted
	if c.control != nil {
		bytes += c.control.Bytes
		delivered += c.control.Delivered
		retransmitted += c.control.Retransmitted
	}
	return bytes, delivered, retransmitted
}
