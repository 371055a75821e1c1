package store

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/store/storetest"
)

// chunk is one of two samples, 1 at 1000 ms and 1 at 2000 ms, as its package describes
// it: two samples; time as a varint, 64 bits; a step as a varint; a zero.
var chunk = []byte{0, 2, 0xd0, 0x0f, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xe8, 0x07, 0}

// message is a series with some chunks.
func message(kind uint64, chunks ...[]byte) []byte {
	label := appendBytes(appendBytes(nil, 1, []byte("__name__")), 2, []byte("up"))
	one := appendBytes(nil, 1, label)
	for _, c := range chunks {
		part := appendVarint(appendVarint(nil, 1, 1000), 3, kind)
		one = appendBytes(one, 2, appendBytes(part, 4, c))
	}
	return appendBytes(nil, 1, one)
}

func framesOf(t *testing.T, body []byte) (got []exporter.Sample, err error) {
	t.Helper()
	p := &remoteReadParser{request: Request{From: 0, To: 1 << 40}, add: func(l []exporter.Label, x []exporter.Sample) error {
		if len(l) != 1 || string(l[0].Value) != "up" {
			t.Errorf("%q", l)
		}
		got = append(got, x...)
		return nil
	}}
	return got, p.readFrames(bytes.NewReader(body))
}

// TestFrames: a stream is read to its end; one that is cut or damaged is an error, and
// never an end.
func TestFrames(t *testing.T) {
	body := append(storetest.Frame(message(kindXOR, chunk)), storetest.Frame(message(kindXOR, chunk, chunk))...)
	got, err := framesOf(t, body)
	if err != nil || len(got) != 6 || got[1] != (exporter.Sample{Time: 2000, Value: 1}) {
		t.Fatalf("%v: %v", got, err)
	}
	whole := len(storetest.Frame(message(kindXOR, chunk)))
	for n := range body {
		if _, err := framesOf(t, body[:n]); (err == nil) != (n == 0 || n == whole) {
			t.Errorf("%d of %d bytes: %v", n, len(body), err)
		}
	}
	body[len(body)-3] ^= 1
	if _, err := framesOf(t, body); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
	if got, err := framesOf(t, storetest.Frame(message(2, chunk))); err != nil || len(got) > 0 {
		t.Errorf("a histogram was taken for numbers: %v %v", got, err)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(message(kindXOR, chunk))
	f.Add(protowire.AppendTag(nil, 1, protowire.BytesType))
	f.Fuzz(func(t *testing.T, m []byte) {
		p := &remoteReadParser{request: Request{To: 1 << 40}, add: func([]exporter.Label, []exporter.Sample) error { return nil }}
		_ = p.readFrames(bytes.NewReader(storetest.Frame(m)))
		_ = p.readFrames(bytes.NewReader(m))
	})
}
