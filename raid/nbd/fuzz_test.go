package nbd

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
)

// A script is a connection of which one side is known.
type script struct {
	net.Conn
	in  io.Reader
	out io.Writer
}

func (s script) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s script) Write(p []byte) (int, error) { return s.out.Write(p) }

// FuzzNegotiation: whatever a client says, the negotiation ends, and with the
// export only if the client chose it.
func FuzzNegotiation(f *testing.F) {
	opt := func(n uint32, data string) string {
		b := binary.BigEndian.AppendUint32([]byte("IHAVEOPT"), n)
		return string(binary.BigEndian.AppendUint32(b, uint32(len(data)))) + data
	}
	const flags = "\x00\x00\x00\x03"
	f.Add([]byte(flags + opt(1, "array")))
	f.Add([]byte(flags + opt(3, "") + opt(8, "") + opt(6, "\x00\x00\x00\x00\x00\x00") + opt(7, "\x00\x00\x00\x05array\x00\x01\x00\x03")))
	f.Add([]byte(flags + opt(2, "")))
	f.Add([]byte("\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, said []byte) {
		var out bytes.Buffer
		e, _ := testExport()
		c := script{in: bytes.NewReader(said), out: &out}
		n := negotiation{conn: c, in: bufio.NewReader(c), export: e, limit: 1 << 20}
		err := n.run()
		chose := bytes.Contains(said, []byte("IHAVEOPT\x00\x00\x00\x01")) || bytes.Contains(said, []byte("IHAVEOPT\x00\x00\x00\x07"))
		if err == nil && !chose {
			t.Error("an export was chosen that nobody asked for")
		}
		if out.Len() > 18+len(said)*40 { // an option of 16 bytes draws three answers
			t.Errorf("%d bytes are answered by %d", len(said), out.Len())
		}
	})
}

func FuzzRequest(f *testing.F) {
	f.Add([]byte("\x25\x60\x95\x13\x00\x01\x00\x01abcdefgh\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x02\x00"), false)
	f.Add([]byte("\x25\x60\x95\x13\x00\x00\x00\x00abcdefgh\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), true)
	f.Fuzz(func(t *testing.T, head []byte, readOnly bool) {
		r, err := parseRequest(head)
		if err != nil {
			if !errors.Is(err, errMagic) && len(head) >= requestSize {
				t.Error(err)
			}
			return
		}
		const size, limit = 1 << 20, 1 << 16
		if r.check(size, Export{ReadOnly: readOnly}, agreement{}, limit) != 0 || r.command == cmdFlush {
			return
		}
		if r.off+uint64(r.length) > size || r.length > limit || r.off > size {
			t.Errorf("%+v was let through", r)
		}
		if readOnly && r.command != cmdRead {
			t.Errorf("%+v was let through to a read-only export", r)
		}
	})
}
