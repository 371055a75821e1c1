package testbench

// A conn carries the data from one machine to another: over one socket on PVFS, over three sockets
// on Lustre (messages, data in, data out).
type conn struct {
	bulk    *flow
	control *flow   // nil: all goes over one socket
	idle    int     // number of further sockets, which carry nothing
	initial float64 // window of these sockets
}

type flow = tcpFlow[*op]

// smallBytes is the largest size that Lustre sends over the socket for messages.
const smallBytes = 4096

func (s *sim) newConn(from, to *port, idle int) *conn {
	c := &conn{bulk: newFlow[*op](&s.net, from, to), initial: s.net.InitialCwnd, idle: idle}
	if s.e.Cluster.FileSystem == Lustre {
		c.control = newFlow[*op](&s.net, from, to)
	}
	return c
}

// send queues a message on its socket.
func (c *conn) send(w *tcpNetwork[*op], o *op, bytes, now float64) {
	if c.control != nil && bytes <= smallBytes {
		c.control.Send(w, o, bytes, now)
		return
	}
	c.bulk.Send(w, o, bytes, now)
}

// sockets returns the number of sockets. On Lustre, the third socket carries data in the other
// direction only.
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

// lose sets the share of packets that are lost.
func (c *conn) lose(rate float64) {
	c.bulk.Lose(rate)
	if c.control != nil {
		c.control.Lose(rate)
	}
}

// sample records the windows of the sockets, as a recorder does.
func (c *conn) sample() {
	c.bulk.Sample()
	if c.control != nil {
		c.control.Sample()
	}
}

// cwndDelivered returns the sum of CwndDelivered over all sockets.
func (c *conn) cwndDelivered() uint64 {
	sum := c.bulk.CwndDelivered
	if c.control != nil {
		sum += c.control.CwndDelivered
	}
	return uint64(sum)
}

// carried returns the sums of bytes and segments over all sockets.
func (c *conn) carried() (bytes, delivered, retransmitted float64) {
	bytes, delivered, retransmitted = c.bulk.Bytes, c.bulk.Delivered, c.bulk.Retransmitted
	if c.control != nil {
		bytes += c.control.Bytes
		delivered += c.control.Delivered
		retransmitted += c.control.Retransmitted
	}
	return bytes, delivered, retransmitted
}
