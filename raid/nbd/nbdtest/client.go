package nbdtest

import (
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// A Client is a connection to an export.
type Client struct {
	conn   net.Conn
	size   int64
	cookie uint64
}

// slowest is the longest time for an answer.
const slowest = 2 * time.Minute

// Dial connects to the default export at unix:PATH or HOST:PORT, with structured replies and the
// context base:allocation. If config is not nil, the connection is encrypted.
func Dial(address string, config *tls.Config) (*Client, error) {
	network := "tcp"
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		network, address = "unix", path
	}
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn}
	if err := c.enter(config); err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// Close closes the connection without DISCONNECT.
func (c *Client) Close() error { return c.conn.Close() }

// Size returns the size of the export in bytes.
func (c *Client) Size() int64 { return c.size }

func (c *Client) enter(config *tls.Config) error {
	if _, err := c.take(18); err != nil {
		return err
	}
	if err := c.put(uint32(3)); err != nil {
		return err
	}
	if config != nil {
		if _, err := c.option(5, ""); err != nil {
			return err
		}
		c.conn = tls.Client(c.conn, config)
	}
	if _, err := c.option(8, ""); err != nil {
		return err
	}
	if _, err := c.option(10, "\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0fbase:allocation"); err != nil {
		return err
	}
	infos, err := c.option(7, "\x00\x00\x00\x00\x00\x00")
	for _, info := range infos {
		if len(info) == 12 && info[0] == 0 && info[1] == 0 {
			c.size = int64(binary.BigEndian.Uint64(info[2:]))
		}
	}
	return err
}

// option sends an option, and returns the data of its answers.
func (c *Client) option(opt uint32, data string) (told [][]byte, err error) {
	if err := c.put("IHAVEOPT", opt, uint32(len(data)), data); err != nil {
		return nil, err
	}
	for {
		head, err := c.take(20)
		if err != nil {
			return nil, err
		}
		body, err := c.take(int(binary.BigEndian.Uint32(head[16:])))
		if err != nil {
			return nil, err
		}
		switch kind := binary.BigEndian.Uint32(head[12:]); {
		case kind == 1:
			return told, nil
		case kind>>31 == 1:
			return nil, fmt.Errorf("option %d is refused with %#x", opt, kind)
		}
		told = append(told, body)
	}
}

// ReadAt fills p from the export.
func (c *Client) ReadAt(p []byte, off int64) (int, error) {
	_, err := c.do(0, 0, off, len(p), nil, p)
	return len(p), err
}

// WriteAt writes p to the export.
func (c *Client) WriteAt(p []byte, off int64) (int, error) {
	_, err := c.do(1, 0, off, len(p), p, nil)
	return len(p), err
}

// Sync sends FLUSH.
func (c *Client) Sync() error {
	_, err := c.do(3, 0, 0, 0, nil, nil)
	return err
}

// Discard sends TRIM.
func (c *Client) Discard(off int64, n int) error {
	_, err := c.do(4, 0, off, n, nil, nil)
	return err
}

// WriteZeroes sends WRITE_ZEROES with FUA.
func (c *Client) WriteZeroes(off int64, n int) error {
	_, err := c.do(6, 1, off, n, nil, nil)
	return err
}

// Status returns lengths and states of extents, in turn.
func (c *Client) Status(off int64, n int) ([]uint32, error) { return c.do(7, 0, off, n, nil, nil) }

// An Error is the error number in a reply.
type Error uint32

// Error returns a text with the number.
func (e Error) Error() string { return fmt.Sprintf("the server answers with error %d", uint32(e)) }

// do sends a request and reads the reply, simple or structured.
func (c *Client) do(cmd, flags uint16, off int64, n int, send, to []byte) (extents []uint32, err error) {
	c.cookie++
	if err := c.put(uint32(0x25609513), flags, cmd, c.cookie, uint64(off), uint32(n), send); err != nil {
		return nil, err
	}
	head, err := c.take(4)
	if err != nil {
		return nil, err
	}
	if binary.BigEndian.Uint32(head) == 0x67446698 {
		return nil, c.simple()
	}
	return c.structured(to)
}

func (c *Client) simple() error {
	rest, err := c.take(12)
	if err != nil {
		return err
	}
	if got := binary.BigEndian.Uint64(rest[4:]); got != c.cookie {
		return fmt.Errorf("an answer to %d, asked was %d", got, c.cookie)
	}
	if failed := binary.BigEndian.Uint32(rest); failed != 0 {
		return Error(failed)
	}
	return nil
}

func (c *Client) structured(to []byte) (extents []uint32, err error) {
	head, err := c.take(16)
	if err != nil {
		return nil, err
	}
	kind, n := binary.BigEndian.Uint16(head[2:]), int(binary.BigEndian.Uint32(head[12:]))
	switch {
	case kind == 1 && n == 8+len(to):
		if _, err := c.take(8); err != nil {
			return nil, err
		}
		_, err := io.ReadFull(c.conn, to)
		return nil, err
	case kind == 0 && n == 0:
		return nil, nil
	}
	body, err := c.take(n)
	switch {
	case err != nil:
		return nil, err
	case kind == 5:
		for at := 4; at+4 <= len(body); at += 4 {
			extents = append(extents, binary.BigEndian.Uint32(body[at:]))
		}
		return extents, nil
	case kind>>15 == 1 && n >= 4:
		return nil, Error(binary.BigEndian.Uint32(body))
	}
	return nil, fmt.Errorf("a chunk of kind %d and %d bytes", kind, n)
}

func (c *Client) take(n int) ([]byte, error) {
	if err := c.conn.SetDeadline(time.Now().Add(slowest)); err != nil { //nolint:forbidigo // network deadlines use the real clock
		return nil, err
	}
	b := make([]byte, n)
	_, err := io.ReadFull(c.conn, b)
	return b, err
}

func (c *Client) put(fields ...any) error {
	var b []byte
	for _, f := range fields {
		var err error
		switch f := f.(type) {
		case string:
			b = append(b, f...)
		case []byte:
			b = append(b, f...)
		default:
			b, err = binary.Append(b, binary.BigEndian, f)
		}
		if err != nil {
			return err
		}
	}
	_, err := c.conn.Write(b)
	return err
}
