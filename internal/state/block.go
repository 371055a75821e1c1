package state

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A state is stored as
//
//	"limpet state\n"  kind of the block
//	4 bytes           version of the memory's form, little-endian
//	8 bytes           length of the compressed memory
//	…                 the memory, compressed by zstd
//	32 bytes          SHA-256 of all before
const magic = "limpet state\n"

const headBytes = len(magic) + 4 + 8

// bufferBytes is the number of bytes that are compressed at once.
const bufferBytes = 256 << 10

// MostBytes is the largest decompressed size of a state, unless the caller gives another limit.
// maxWindowBytes is the largest window of the decompressor. So a forged file cannot take all
// memory. The detectors of Intrepid remember 60 MB.
const (
	MostBytes      = 1 << 30
	maxWindowBytes = 8 << 20
)

// Form describes the states that a version of limpet writes and reads.
type Form struct {
	Version uint32 // version of states that are written
	Oldest  uint32 // oldest version that is read; 0: only Version is read
	Most    int64  // largest decompressed size in bytes; 0: MostBytes
	// Stages converts a version of this form into a version of another form. A form needs it if stages
	// of the other form write its data, because these stages know only versions of the other form
	// (Codec.IsAfter). nil: the stages know the versions of this form.
	Stages func(version uint32) uint32
}

// stages returns the version that stages know for a version of the form.
func (f Form) stages(version uint32) uint32 {
	if f.Stages == nil {
		return version
	}
	return f.Stages(version)
}

func (f Form) most() int64 { return cmp.Or(f.Most, MostBytes) }

func (f Form) oldest() uint32 { return cmp.Or(f.Oldest, f.Version) }

// Encode returns the state that the function memory writes. It returns an error if the state has
// more than MostBytes.
func Encode(version uint32, memory func(*Codec)) ([]byte, error) {
	return Form{Version: version}.Encode(memory)
}

// Encode returns the state that the function memory writes. A state with more than f.Most bytes is
// an error, because it could not be read later.
func (f Form) Encode(memory func(*Codec)) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(magic)
	out.Write(binary.LittleEndian.AppendUint32(nil, f.Version))
	out.Write(make([]byte, 8))
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	c := &Codec{version: f.stages(f.Version), out: bufio.NewWriterSize(&bounded{z, f.most(), f.most()}, bufferBytes)}
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

// bounded is a writer that returns an error after most bytes.
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

// Decode calls the function memory to read a state. It returns an error if the state has another
// version or more than MostBytes.
func Decode(data []byte, version uint32, memory func(*Codec)) error {
	return Form{Version: version}.Decode(data, memory)
}

// Decode calls the function memory to read a state. It returns an error if the state is newer than
// f.Version, older than f.Oldest, or has more than f.Most bytes.
func (f Form) Decode(data []byte, memory func(*Codec)) error {
	body, version, err := f.open(data)
	if err != nil {
		return err
	}
	z, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
	if err != nil {
		return err
	}
	defer z.Close()
	limited := &io.LimitedReader{R: z, N: f.most()}
	c := &Codec{version: f.stages(version), in: bufio.NewReaderSize(limited, bufferBytes)}
	memory(c)
	if limited.N == 0 && c.err != nil {
		return fmt.Errorf("the saved state has more than %d bytes: start without the saved state", f.most())
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

// ErrOlder means that a version of limpet has written a state that is too old for this version to
// read the state.
var ErrOlder = errors.New("an older version of limpet has written the saved state")

// Check returns an error if a state is damaged or has a version that is not read.
func (f Form) Check(data []byte) error {
	_, _, err := f.open(data)
	return err
}

// open checks a state and returns its compressed memory and its version.
func (f Form) open(data []byte) ([]byte, uint32, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, 0, errors.New("the file is not a saved state of limpet")
	}
	if len(data) < headBytes+sha256.Size {
		return nil, 0, errors.New("the saved state is incomplete: its end is missing")
	}
	version := binary.LittleEndian.Uint32(data[len(magic):])
	if version > f.Version {
		return nil, 0, fmt.Errorf("%w (format %d; this version reads format %d)", ErrNewer, version, f.Version)
	}
	if version < f.oldest() {
		return nil, 0, fmt.Errorf("%w (format %d; this version reads format %d): use the version that wrote the saved state, or start without the saved state", ErrOlder, version, f.Version)
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	switch has := uint64(len(data) - headBytes - sha256.Size); {
	case has < length:
		return nil, 0, fmt.Errorf("the saved state is incomplete: it has %d of %d bytes", has, length)
	case has > length:
		return nil, 0, fmt.Errorf("the saved state is damaged: it has %d bytes instead of %d", has, length)
	}
	at := len(data) - sha256.Size
	if sha256.Sum256(data[:at]) != [sha256.Size]byte(data[at:]) {
		return nil, 0, errors.New("the saved state is damaged: its checksum is wrong")
	}
	return data[headBytes:at], version, nil
}
