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

// linger is how long a client may take to fetch the last answers when the
// server closes.
const linger = 2 * time.Second

// readBuffer holds many headers, or a small write.
const readBuffer = 64 << 10

// A conn is one client.
type conn struct {
	server *Server
	net    net.Conn
	in     *bufio.Reader
	budget *budget
	agreed agreement

	write    sync.Mutex     // an answer at a time
	requests sync.WaitGroup // under way
	quitting atomic.Bool
	quitOnce sync.Once
	quitBy   time.Time     // by when the last answers have to be taken; set before quitting
	slots    chan struct{} // one for each request under way
}

// mostRequests is how many requests of one client are under way at once; the next
// waits for its turn. The kernel's client has 128 by default. A client that sends a
// hundred thousand small requests, and takes no answer, would otherwise have as many
// goroutines, and the device would search as many requests for each of them.
const mostRequests = 256

func newConn(s *Server, nc net.Conn) *conn {
	return &conn{
		server: s, net: nc, in: bufio.NewReaderSize(nc, readBuffer), budget: newBudget(s.options.InFlight),
		slots: make(chan struct{}, mostRequests),
	}
}

// quit has the connection end after what is under way, and no later than linger
// after the first call. Where deadlines cannot be set, it has ended.
func (c *conn) quit() {
	c.quitOnce.Do(func() { c.quitBy = time.Now().Add(linger) }) //nolint:forbidigo // a network has a clock
	c.quitting.Store(true)
	_ = c.net.SetReadDeadline(time.Unix(1, 0))
	_ = c.net.SetWriteDeadline(c.quitBy)
}

// allow sets until when the client may take, unless the connection is to end.
func (c *conn) allow(until time.Time) error {
	err := c.net.SetDeadline(until)
	if c.quitting.Load() {
		c.quit()
	}
	return err
}

// serve returns when the connection is over: nil where both sides meant it.
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
	if err := c.allow(time.Now().Add(c.server.options.Handshake)); err != nil { //nolint:forbidigo // a network has a clock
		return err
	}
	n := negotiation{conn: c.net, in: c.in, export: c.server.export, limit: c.server.options.MaxRequest, tls: c.server.options.TLS}
	if err := n.run(); err != nil {
		return err
	}
	c.agreed, c.in = n.agreement, n.in
	c.server.mu.Lock() // Close of the server uses c.net
	c.net = n.conn
	c.server.mu.Unlock()
	return c.allow(time.Time{})
}

// allowRead sets how long the client may take to send; 0 is for ever.
func (c *conn) allowRead(within time.Duration) error {
	var until time.Time
	if within > 0 {
		until = time.Now().Add(within) //nolint:forbidigo // a network has a clock
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

// await waits for a request to begin, as long as a client may be idle. From
// then on it may not stall.
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

// next reads a request and has it done.
func (c *conn) next() error {
	if c.quitting.Load() { // requests may have been read, and not begun
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

// refuse answers without the device, past what the client sends along.
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

// begin takes what a write brings, and does the request beside the next one.
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
	if c.quitting.Load() { // it may have waited for long
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

// receive fills p with what a write brings.
func (c *conn) receive(p []byte) error {
	if c.in.Buffered() < len(p) {
		if err := c.allowRead(c.server.options.Stall); err != nil {
			return err
		}
	}
	_, err := io.ReadFull(c.in, p)
	return err
}

// do asks the device and answers. Where the answer cannot be sent, nobody is
// there any more, which the next read finds.
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
		if got == len(p) { // at the end, with io.EOF
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

// mostExtents bounds an answer.
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

// answer sends a reply, which the client has to take in time.
func (c *conn) answer(reply net.Buffers) error {
	c.write.Lock()
	defer c.write.Unlock()
	if !c.quitting.Load() {
		if err := c.net.SetWriteDeadline(time.Now().Add(c.server.options.Stall)); err != nil { //nolint:forbidigo // a network has a clock
			return err
		}
		if c.quitting.Load() {
			c.quit()
		}
	}
	_, err := reply.WriteTo(c.net)
	return err
}
