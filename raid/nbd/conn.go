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

// A conn is one client.
type conn struct {
	server *Server
	net    net.Conn
	in     *bufio.Reader
	budget *budget

	write    sync.Mutex     // an answer at a time
	requests sync.WaitGroup // under way
	quitting atomic.Bool
}

func newConn(s *Server, nc net.Conn) *conn {
	return &conn{server: s, net: nc, in: bufio.NewReaderSize(nc, 64<<10), budget: newBudget(s.options.InFlight)}
}

// quit has the connection end after what is under way. Where deadlines cannot
// be set, it has ended.
func (c *conn) quit() {
	c.quitting.Store(true)
	_ = c.net.SetReadDeadline(time.Unix(1, 0))
	_ = c.net.SetWriteDeadline(time.Now().Add(linger)) //nolint:forbidigo // a network has a clock
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
	n := negotiation{rw: c.readWriter(), export: c.server.export, limit: c.server.options.MaxRequest}
	if err := n.run(); err != nil {
		return err
	}
	return c.allow(time.Time{})
}

func (c *conn) readWriter() io.ReadWriter {
	return struct {
		io.Reader
		io.Writer
	}{c.in, c.net}
}

var errDisconnected = errors.New("the client disconnected")

// next reads a request and has it done.
func (c *conn) next() error {
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
	if failed := r.check(c.server.export.Device.Size(), c.server.export, c.server.options.MaxRequest); failed != 0 {
		return c.refuse(r, failed)
	}
	return c.begin(r)
}

// refuse answers without the device, past what the client sends along.
func (c *conn) refuse(r request, failed uint32) error {
	if r.command == cmdWrite {
		if _, err := io.CopyN(io.Discard, c.in, int64(r.length)); err != nil {
			return err
		}
	}
	c.server.counts.failed.Add(1)
	return c.answer(r, failed, nil)
}

// begin takes what a write brings, and does the request beside the next one.
func (c *conn) begin(r request) error {
	size := 0
	if r.command != cmdFlush {
		size = int(r.length)
	}
	c.budget.take(size)
	p := c.server.buffers.get(size)
	if r.command == cmdWrite {
		if _, err := io.ReadFull(c.in, p); err != nil {
			c.budget.give(size)
			return err
		}
	}
	c.requests.Go(func() {
		defer c.budget.give(size)
		defer c.server.buffers.put(p)
		c.do(r, p)
	})
	return nil
}

// do asks the device and answers. Where the answer cannot be sent, nobody is
// there any more, which the next read finds.
func (c *conn) do(r request, p []byte) {
	began := time.Now() //nolint:forbidigo // latencies are real
	err := c.server.export.ask(r, p)
	c.server.counts.add(r, time.Since(began), err)
	switch {
	case err != nil:
		err = c.answer(r, eIO, nil)
	case r.command == cmdRead:
		err = c.answer(r, 0, p)
	default:
		err = c.answer(r, 0, nil)
	}
	if err != nil {
		c.net.Close()
	}
}

func (e *Export) ask(r request, p []byte) error {
	switch r.command {
	case cmdRead:
		n, err := e.Device.ReadAt(p, int64(r.off))
		if n == len(p) { // at the end, with io.EOF
			return nil
		}
		return err
	case cmdWrite:
		if _, err := e.Device.WriteAt(p, int64(r.off)); err != nil {
			return err
		}
		if r.flags&flagFUA == 0 {
			return nil
		}
	}
	return e.Device.Sync()
}

func (c *conn) answer(r request, failed uint32, data []byte) error {
	c.write.Lock()
	defer c.write.Unlock()
	both := net.Buffers{r.reply(failed), data}
	_, err := both.WriteTo(c.net)
	return err
}
