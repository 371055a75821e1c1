package store

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/limpet-storage/limpet/internal/post"
)

// remoteReadPath is the path of remote read, relative to the address of a store.
const remoteReadPath = "api/v1/read"

// remoteReader reads raw samples by Prometheus's remote read. If the store supports streams, the
// answer is a stream of chunks. Otherwise the answer is one message with samples.
//
// A frame of the stream is the length of a message, a checksum and the message:
//
//	varint n, CRC-32C of the message (4 bytes), n bytes:
//	ChunkedReadResponse { 1: ChunkedSeries { 1: Label…, 2: Chunk { 1: from, 2: to, 3: type, 4: data }… }… }
//
// The reader holds only one frame at a time, even if the answer is long. If a series has ended, its
// last sample is Prometheus's staleness marker, a special NaN.
type remoteReader struct {
	Client *post.Client
	Header http.Header // headers of every request, for example the tenant
}

// Limits of the memory for an answer, in bytes.
const (
	mostFrame  = 64 << 20  // largest frame; by default a store sends frames of 1 MB
	mostAnswer = 512 << 20 // largest answer without frames
)

// Read reads the samples that the request selects (see Reader).
func (r *remoteReader) Read(ctx context.Context, a Request, each SeriesFunc) ([]string, error) {
	header := r.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/x-protobuf")
	header.Set("Content-Encoding", "snappy")
	header.Set("X-Prometheus-Remote-Read-Version", "0.1.0")
	answer, err := r.Client.Ask(ctx, http.MethodPost, remoteReadPath, nil, snappy.Encode(nil, request(a)), header)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	p := &remoteReadParser{request: a, add: each}
	switch kind := answer.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/x-streamed-protobuf"):
		return nil, p.readFrames(answer.Body)
	case strings.HasPrefix(kind, "application/x-protobuf"):
		return nil, p.readWhole(answer.Body)
	default:
		return nil, fmt.Errorf("%w: a remote read was answered with the content type %.60q", ErrNoStore, kind)
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (p *remoteReadParser) readFrames(body io.Reader) error {
	in := bufio.NewReaderSize(body, 1<<16)
	var buf []byte
	for {
		n, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the answer of the store is incomplete: %w", err)
		}
		if n > mostFrame {
			return fmt.Errorf("the answer has a frame of %d bytes: %w", n, ErrTooMuch)
		}
		if uint64(cap(buf)) < n+4 {
			buf = make([]byte, n+4)
		}
		buf = buf[:n+4]
		if _, err := io.ReadFull(in, buf); err != nil {
			return fmt.Errorf("the answer of the store is incomplete: %w", err)
		}
		sum, message := binary.BigEndian.Uint32(buf), buf[4:]
		if crc32.Checksum(message, castagnoli) != sum {
			return errors.New("a frame of the answer is damaged: its checksum is wrong")
		}
		if err := p.message(message); err != nil {
			return err
		}
	}
}

// readWhole reads an answer without frames. Field 1 of the answer has the results. Field 1 of
// a result has the series.
func (p *remoteReadParser) readWhole(body io.Reader) error {
	packed, err := io.ReadAll(io.LimitReader(body, mostAnswer+1))
	if err != nil {
		return fmt.Errorf("the answer of the store is incomplete: %w", err)
	}
	if n, err := snappy.DecodedLen(packed); err == nil && n > mostAnswer {
		return fmt.Errorf("the answer has %d bytes: %w", n, ErrTooMuch)
	}
	plain, err := snappy.Decode(nil, packed)
	if err != nil {
		return fmt.Errorf("the answer cannot be unpacked: %w", err)
	}
	return fields(plain, func(field protowire.Number, b []byte, _ uint64) error {
		if field != 1 {
			return nil
		}
		return p.message(b)
	})
}
