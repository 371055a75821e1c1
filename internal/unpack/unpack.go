package unpack

import (
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// A Kind is how a file is compressed.
type Kind string

// The kinds.
const (
	Plain Kind = ""
	Gzip  Kind = "gzip"
	Zstd  Kind = "zstd"
	XZ    Kind = "xz"
	Bzip2 Kind = "bzip2"
)

var magics = map[Kind][]byte{
	Gzip: {0x1f, 0x8b}, Zstd: {0x28, 0xb5, 0x2f, 0xfd}, XZ: {0xfd, '7', 'z', 'X', 'Z', 0}, Bzip2: {'B', 'Z', 'h'},
}

// MagicBytes is how many first bytes of a file tell its kind.
const MagicBytes = 6

// KindOf tells the kind by the first bytes of a file.
func KindOf(first []byte) Kind {
	for kind, magic := range magics {
		if bytes.HasPrefix(first, magic) {
			return kind
		}
	}
	return Plain
}

const (
	// MaxRatio is how many times larger than it is a file may become. Tables
	// and activity files of idle systems reach a hundred.
	MaxRatio = 1000
	// FreeBytes are unpacked of every file, whatever its ratio.
	FreeBytes = 64 << 20
	// MaxWindow is the memory that a file may ask for, and what zstd itself
	// allows unless told otherwise.
	MaxWindow = 128 << 20
	// LeastWindow is what every decoder ought to allow (RFC 8878 §3.1.1.1.2).
	LeastWindow = 8 << 20
)

// Errors of files that ask for too much.
var (
	ErrRatio = fmt.Errorf("the unpacked data are more than %d times as large as the file, and larger than %d MB; if the file is good, unpack the file yourself", MaxRatio, FreeBytes>>20)
	errGone  = errors.New("the reader is closed")
)

// A WindowError is data that ask for more memory than they may.
type WindowError struct{ Bytes int64 }

func (e *WindowError) Error() string {
	return fmt.Sprintf("to unpack the file, more than %d MB of memory are needed; compress the file again without --long or --ultra", e.Bytes>>20)
}

// A Reader reads the unpacked data. It is unpacked by the one who reads it,
// since many files are read side by side.
type Reader struct {
	src    io.Reader
	packed counter
	window int64
	n      int64 // unpacked so far
	close  func()
}

// counter counts the packed bytes that were read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// NewReader unpacks src, which may ask for a window of so many bytes; 0 is
// MaxWindow. Plain data are read as they are.
func NewReader(kind Kind, src io.Reader, window int64) (*Reader, error) {
	if window == 0 {
		window = MaxWindow
	}
	r := &Reader{packed: counter{Reader: src}, window: min(max(window, LeastWindow), MaxWindow), close: func() {}}
	var err error
	switch kind {
	case Gzip:
		r.src, err = gzip.NewReader(&r.packed)
	case Bzip2:
		r.src = bzip2.NewReader(&r.packed)
	case XZ:
		r.src, err = xz.NewReader(&r.packed, uint32(r.window))
	case Zstd:
		err = r.zstd()
	default:
		r.src = src
	}
	if err != nil {
		return nil, r.said(err)
	}
	return r, nil
}

func (r *Reader) zstd() error {
	d, err := zstd.NewReader(&r.packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(uint64(r.window)))
	if err != nil {
		return err
	}
	r.src, r.close = d, d.Close
	return nil
}

// Read reads unpacked data.
func (r *Reader) Read(p []byte) (int, error) {
	if r.src == nil {
		return 0, errGone
	}
	n, err := r.src.Read(p)
	r.n += int64(n)
	if r.packed.n > 0 && r.n-FreeBytes > MaxRatio*r.packed.n {
		return 0, ErrRatio
	}
	return n, r.said(err)
}

// said says in words of our own what was asked for in vain.
func (r *Reader) said(err error) error {
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
		return &WindowError{r.window}
	}
	return err
}

// Close lets go of the memory.
func (r *Reader) Close() error {
	r.close()
	r.src = nil
	return nil
}
