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

// A Kind is a method of compression.
type Kind string

// The methods of compression. Plain means not compressed.
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

// MagicBytes is the number of first bytes that KindOf needs.
const MagicBytes = 6

// KindOf returns the kind of a file from its first bytes.
func KindOf(first []byte) Kind {
	for kind, magic := range magics {
		if bytes.HasPrefix(first, magic) {
			return kind
		}
	}
	return Plain
}

const (
	// MaxRatio is the largest ratio of the unpacked to the packed size of a
	// file. Tables and activity files of idle systems reach a hundred.
	MaxRatio = 1000
	// FreeBytes is the number of bytes of every file that are unpacked
	// without a limit of the ratio.
	FreeBytes = 64 << 20
	// MaxWindow is the largest window that a file may need. It is the default
	// limit of zstd.
	MaxWindow = 128 << 20
	// LeastWindow is the window that every decoder should allow (RFC 8878
	// §3.1.1.1.2).
	LeastWindow = 8 << 20
)

// Errors of Read: the ratio is too large, or the reader is closed.
var (
	ErrRatio = fmt.Errorf("the unpacked data are more than %d times as large as the file, and larger than %d MB; if the file is good, unpack the file yourself", MaxRatio, FreeBytes>>20)
	errGone  = errors.New("internal error: the file was closed while limpet read it")
)

// A WindowError is the error for data that need a larger window than the limit.
type WindowError struct{ Bytes int64 }

func (e *WindowError) Error() string {
	return fmt.Sprintf("to unpack the file, more than %d MB of memory are needed; compress the file again without --long or --ultra", e.Bytes>>20)
}

// A Reader reads the unpacked data. The goroutine that calls Read unpacks the data, because many
// files are read at the same time.
type Reader struct {
	src    io.Reader
	packed counter
	window int64
	n      int64 // number of unpacked bytes so far
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

// NewReader returns a reader that unpacks src. The parameter window is the largest window in bytes;
// 0 means MaxWindow. Plain data are not changed.
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
		return nil, r.asWindowError(err)
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
	return n, r.asWindowError(err)
}

// asWindowError returns a WindowError if err means that the data need too much memory, and err
// otherwise.
func (r *Reader) asWindowError(err error) error {
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
		return &WindowError{r.window}
	}
	return err
}

// Close frees the memory of the decoder.
func (r *Reader) Close() error {
	r.close()
	r.src = nil
	return nil
}
