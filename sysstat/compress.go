package sysstat

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

// sniffLen is what the longest magic of a compressor needs.
const sniffLen = 6

var (
	xzMagic    = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
	zstdMagic  = []byte{0x28, 0xb5, 0x2f, 0xfd}
	gzipMagic  = []byte{0x1f, 0x8b}
	bzip2Magic = []byte{'B', 'Z', 'h'}
)

// brokenError is a compressed file that breaks off or does not add up.
type brokenError struct {
	kind string
	err  error
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("the %s data end here: %v", e.kind, e.err)
}

func (e *brokenError) Unwrap() error { return e.err }

// decompressor marks the errors of a compressed stream as such.
type decompressor struct {
	io.Reader
	kind string
}

func (d decompressor) Read(b []byte) (int, error) {
	n, err := d.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = &brokenError{d.kind, err}
	}
	return n, err
}

// decompress sets what r reads from, by the first bytes of src and not by
// the name of the file.
func (r *Reader) decompress(src io.Reader) error {
	magic := make([]byte, sniffLen)
	n, err := io.ReadFull(src, magic)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", r.file.File, err)
	}
	magic = magic[:n]
	whole := io.MultiReader(bytes.NewReader(magic), src)
	switch {
	case bytes.HasPrefix(magic, xzMagic):
		err = r.unpack("xz", func() (io.Reader, error) { return xz.NewReader(whole, 0) })
	case bytes.HasPrefix(magic, zstdMagic):
		err = r.unpack("zstd", func() (io.Reader, error) { return r.unzstd(whole) })
	case bytes.HasPrefix(magic, gzipMagic):
		err = r.unpack("gzip", func() (io.Reader, error) { return gzip.NewReader(whole) })
	case bytes.HasPrefix(magic, bzip2Magic):
		err = r.unpack("bzip2", func() (io.Reader, error) { return bzip2.NewReader(whole), nil })
	default:
		r.src = src
		r.buf = append(r.buf, magic...)
		return nil
	}
	return err
}

func (r *Reader) unpack(kind string, open func() (io.Reader, error)) error {
	src, err := open()
	if err != nil {
		return &FormatError{
			File: r.file.File, What: fmt.Sprintf("the %s data cannot be unpacked: %v", kind, err),
			Hint: "compress the file again or leave it out",
		}
	}
	r.src = decompressor{src, kind}
	return nil
}

// unzstd decodes in this goroutine: for one stream more cost more and gain
// nothing.
func (r *Reader) unzstd(src io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	r.close = func() error {
		d.Close()
		return nil
	}
	return d, nil
}
