package state

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A state is stored as
//
//	"limpet state\n"  what this is
//	4 bytes           version of the memory's form, little-endian
//	8 bytes           length of the compressed memory
//	…                 the memory, compressed by zstd
//	32 bytes          SHA-256 of all before
const magic = "limpet state\n"

const headBytes = len(magic) + 4 + 8

// bufferBytes is how much goes to the compressor at a time.
const bufferBytes = 256 << 10

// MostBytes bounds what a state decompresses to where its owner knows no better bound,
// and maxWindowBytes what decompressing it needs, so that a made-up file cannot take all
// memory. Intrepid's detectors remember 60 MB.
const (
	MostBytes      = 1 << 30
	maxWindowBytes = 8 << 20
)

// Encode returns the state that a memory writes, of at most MostBytes.
func Encode(version uint32, memory func(*Codec)) ([]byte, error) {
	return EncodeUpTo(MostBytes, version, memory)
}

// EncodeUpTo returns the state that a memory of at most so many bytes writes. A larger
// one is refused now: it could not be read later.
func EncodeUpTo(most int64, version uint32, memory func(*Codec)) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(magic)
	out.Write(binary.LittleEndian.AppendUint32(nil, version))
	out.Write(make([]byte, 8))
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	c := &Codec{out: bufio.NewWriterSize(&bounded{z, most, most}, bufferBytes)}
	memory(c)
	if c.err == nil {
		c.err = c.out.Flush()
	}
	if err := errors.Join(c.err, z.Close()); err != nil {
		return nil, err
	}
	b := out.Bytes()
	binary.LittleEndian.PutUint64(b[len(magic)+4:], uint64(len(b)-headBytes))
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// bounded passes on so many bytes and no more.
type bounded struct {
	to         io.Writer
	most, left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("the saved state has more than %d bytes, which is the limit: divide the storage system among several servers of limpet", b.most)
	}
	return b.to.Write(p)
}

// Decode lets a memory read a state of at most MostBytes that was written in the same
// version.
func Decode(data []byte, version uint32, memory func(*Codec)) error {
	return DecodeUpTo(MostBytes, data, version, memory)
}

// DecodeUpTo is Decode of a state of at most so many bytes.
func DecodeUpTo(most int64, data []byte, version uint32, memory func(*Codec)) error {
	body, err := open(data, version)
	if err != nil {
		return err
	}
	z, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
	if err != nil {
		return err
	}
	defer z.Close()
	limited := &io.LimitedReader{R: z, N: most}
	c := &Codec{in: bufio.NewReaderSize(limited, bufferBytes)}
	memory(c)
	if limited.N == 0 && c.err != nil {
		return fmt.Errorf("the saved state has more than %d bytes: start without the saved state", most)
	}
	if errors.Is(c.err, io.EOF) || errors.Is(c.err, io.ErrUnexpectedEOF) {
		return errors.New("the saved state is incomplete for this version of limpet: start without the saved state")
	}
	if c.err == nil {
		if _, err := c.in.ReadByte(); err != io.EOF {
			c.Failf("the saved state has data that this version of limpet does not read: start without the saved state")
		}
	}
	return c.err
}

// ErrNewer means that a newer version of limpet has written a state.
var ErrNewer = errors.New("a newer version of limpet has written the saved state")

// Check returns an error if a state is damaged, or was not written in the given version.
func Check(data []byte, version uint32) error {
	_, err := open(data, version)
	return err
}

// open checks a state and returns its compressed memory.
func open(data []byte, version uint32) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, errors.New("the file is not a saved state of limpet")
	}
	if len(data) < headBytes+sha256.Size {
		return nil, errors.New("the saved state is incomplete: its end is missing")
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v > version {
		return nil, fmt.Errorf("%w (format %d; this version reads format %d)", ErrNewer, v, version)
	} else if v < version {
		return nil, fmt.Errorf("the saved state has format %d, and this version of limpet reads format %d: use the version that wrote the saved state, or start without the saved state", v, version)
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	switch has := uint64(len(data) - headBytes - sha256.Size); {
	case has < length:
		return nil, fmt.Errorf("the saved state is incomplete: it has %d of %d bytes", has, length)
	case has > length:
		return nil, fmt.Errorf("the saved state is damaged: it has %d bytes instead of %d", has, length)
	}
	at := len(data) - sha256.Size
	if sha256.Sum256(data[:at]) != [sha256.Size]byte(data[at:]) {
		return nil, errors.New("the saved state is damaged: its checksum is wrong")
	}
	return data[headBytes:at], nil
}
