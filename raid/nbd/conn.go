package nbd

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// linger is how long a client may take to receive the last answers when the server closes.
const linger = 2 * time.Second

// readBuffer has room for many headers, or for a small write.
const readBuffer = 64 << 10

// A conn is the connection of one client.
type conn struct {
	server *Server
	net    net.Conn
	in     *bufio.Reader
	budget *budget
	agreed agreement

	write    sync.Mutex     // held while an answer is sent
	requests sync.WaitGroup // requests in flight
	quitting atomic.Bool
	quitOnce sync.Once
	quitBy   time.Time     // deadline of the last answers; set before quitting
	slots    chan struct{} // one element for each request in flight
}

// mostRequests is the largest number of requests of one client in flight. The next request waits.
// The kernel's client has 128 by default. Without this limit, a client that sends a hundred
// thousand small requests and takes no answer would start as many goroutines, and the device would
// compare each request with all others.
const mostRequests = 256

func newConn(s *Server, nc net.Conn) *conn {
	return &conn{
		server: s, net: nc, in: bufio.NewReaderSize(nc, readBuffer), budget: newBudget(s.options.InFlight),
		slots: make(chan struct{}, mostRequests),
	}
}

// quit ends the connection after the requests in flight, and no later than linger after the first
// call. Errors of setting a deadline are ignored: the connection has already ended.
func (c *conn) quit() {
	c.quitOnce.Do(func() { c.quitBy = time.Now().Add(linger) }) //nolint:forbidigo // network deadlines use the real clock
	c.quitting.Store(true)
	_ = c.net.SetReadDeadline(time.Unix(1, 0))
	_ = c.net.SetWriteDeadline(c.quitBy)
}

// allow sets the deadline of all reads and writes of the client, unless the connection is about to
// end.
func (c *conn) allow(until time.Time) error {
	err := c.net.SetDeadline(until)
	if c.quitting.Load() {
		c.quit()
	}
	return err
}

// serve returns when the connection has ended; nil: client or server ended it properly.
func (c *conn) serve() error {
	c.server.counts.connections.Add(1)
	defer c.server.counts.connections.Add(-1)
	defer c.net.Close()
	defer c.requests.Wait()
	err := c.negotiate()
	for err == nil {
		err = c.next()
	}
	if errors.Is(err, errDisconnected) || errors.Is(err, errAborted) || errors.Is(err, io.EOF) || c.quitting.Load() {
		return nil
	}
	return err
}

func (c *conn) negotiate() error {
	if err := c.allow(time.Now().Add(c.server.options.Handshake)); err != nil { //nolint:forbidigo // network deadlines use the real clock
		return err
	}
	n := negotiation{conn: c.net, in: c.in, export: c.server.export, limit: c.server.options.MaxRequest, tls: c.server.options.TLS}
	if err := n.run(); err != nil {
		return err
	}
	c.agreed, c.in = n.agreement, n.in
	c.server.mu.Lock() // Server.Close uses c.net
	c.net = n.conn
	c.server.mu.Unlock()
	return c.allow(time.Time{})
}

// allowRead sets how long the client may take to send; 0: no limit.
func (c *conn) allowRead(within time.Duration) error {
	var until time.Time
	if within > 0 {
		until = time.Now().Add(within) //nolint:forbidigo // network deadlines use the real clock
	}
	err := c.net.SetReadDeadline(until)
	if c.quitting.Load() {
		c.quit()
	}
	return err
}

var (
	errDisconnected = errors.New("the client disconnected")
	errQuitting     = errors.New("the server is stopping")
)

// await waits for the first byte of a request, at most for the idle time. After that the client has
// the stall time for the rest.
func (c *conn) await() error {
	if c.in.Buffered() >= requestSize {
		return nil
	}
	if err := c.allowRead(c.server.options.Idle); err != nil {
		return err
	}
	if _, err := c.in.Peek(1); err != nil {
		return err
	}
	return c.allowRead(c.server.options.Stall)
}

// next reads a request and starts it.
func (c *conn) next() error {
	if c.quitting.Load() { // the next request may be in the buffer already
		return errQuitting
	}
	if err := c.await(); err != nil {
		return err
	}
	var head [requestSize]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return err
	}
	r, err := parseRequest(head[:])
	if err != nil {
		return err
	}
	if r.command == cmdDisconnect {
		return errDisconnected
	}
	if failed := r.check(c.server.export.Device.Size(), c.server.export, c.agreed, c.server.options.MaxRequest); failed != 0 {
		return c.refuse(r, failed)
	}
	return c.begin(r)
}

// refuse answers a request with an error, without the device. It skips the data of a write.
func (c *conn) refuse(r request, failed uint32) error {
	if r.command == cmdWrite {
		if err := c.allowRead(c.server.options.Stall); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, c.in, int64(r.length)); err != nil {
			return err
		}
	}
	c.server.counts.failed.Add(1)
	return c.answer(c.encode(r, failed, nil, nil))
}

// begin reads the data of a write, and runs the request in a goroutine of its own.
func (c *conn) begin(r request) error {
	size := r.payload()
	c.slots <- struct{}{}
	c.budget.take(size)
	c.server.budget.take(size)
	give := func() {
		c.server.budget.give(size)
		c.budget.give(size)
		<-c.slots
	}
	if c.quitting.Load() { // take may have waited for long
		give()
		return errQuitting
	}
	p := c.server.buffers.get(size)
	if r.command == cmdWrite {
		if err := c.receive(p); err != nil {
			give()
			return err
		}
	}
	c.requests.Go(func() {
		defer give()
		defer c.server.buffers.put(p)
		c.do(r, p)
	})
	return nil
}

// receive fills p with the data of a write.
func (c *conn) receive(p []byte) error {
	if c.in.Buffered() < len(p) {
		if err := c.allowRead(c.server.options.Stall); err != nil {
			return err
		}
	}
	_, err := io.ReadFull(c.in, p)
	return err
}

// do calls the device and sends the answer. If the answer cannot be sent, the client is gone, and
// the next read returns an error.
func (c *conn) do(r request, p []byte) {
	began := time.Now() //nolint:forbidigo // latencies are real
	extents, err := c.server.export.ask(r, p)
	c.server.counts.add(r, time.Since(began), err)
	var failed uint32
	if err != nil {
		failed = eIO
	}
	var data []byte
	if r.command == cmdRead && err == nil {
		data = p
	}
	if c.answer(c.encode(r, failed, data, extents)) != nil {
		c.net.Close()
	}
}

func (e *Export) ask(r request, p []byte) (extents []extent, err error) {
	off, n := int64(r.off), int64(r.length)
	switch r.command {
	case cmdRead:
		got, err := e.Device.ReadAt(p, off)
		if got == len(p) { // at the end of the device, all bytes can come with io.EOF
			return nil, nil
		}
		return nil, err
	case cmdBlockStatus:
		return e.extents(r)
	case cmdFlush:
		return nil, e.Device.Sync()
	case cmdWrite:
		_, err = e.Device.WriteAt(p, off)
	case cmdTrim:
		err = e.zeroes().Discard(off, n)
	case cmdWriteZeroes:
		err = e.zeroes().WriteZeroes(off, n, r.flags&flagNoHole == 0)
	}
	if err == nil && r.flags&flagFUA != 0 {
		err = e.Device.Sync()
	}
	return nil, err
}

// mostExtents is the largest number of extents in an answer.
const mostExtents = 1 << 16

func (e *Export) extents(r request) ([]extent, error) {
	var list []extent
	err := e.maps().Extents(int64(r.off), int64(r.length), func(n int64, hole bool) {
		if n > 0 && len(list) < mostExtents {
			list = append(list, extent{n, hole})
		}
	})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, io.ErrUnexpectedEOF
	case r.flags&flagReqOne != 0:
		return list[:1], nil
	}
	return list, nil
}

// answer sends a reply. The client must receive it within the stall time.
func (c *conn) answer(reply net.Buffers) error {
	c.write.Lock()
	defer c.write.Unlock()
	if !c.quitting.Load() {
		if err := c.net.SetWriteDeadline(time.Now().Add(c.server.options.Stall)); err != nil { //nolint:forbidigo // network deadlines use the real clock
			return err
		}
		if c.quitting.Load() {
			c.quit()
		}
	}
	_, err := reply.WriteTo(c.net)
	return err
}
