package sysstat

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/internal/unpack"
)

// brokenError is the error for a compressed file that is cut off or has a wrong checksum.
type brokenError struct {
	kind string
	err  error
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("the %s data are incomplete: their end is missing (%v)", e.kind, e.err)
}

func (e *brokenError) Unwrap() error { return e.err }

// decompressor wraps the errors of a compressed stream in a brokenError.
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

// decompress sets the source of r. It chooses the method by the first bytes of src, not by the name
// of the file.
func (r *Reader) decompress(src io.Reader) error {
	magic := make([]byte, unpack.MagicBytes)
	n, err := io.ReadFull(src, magic)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", r.file.File, err)
	}
	magic = magic[:n]
	kind := unpack.KindOf(magic)
	if kind == unpack.Plain {
		r.src = src
		r.buf = append(r.buf, magic...)
		return nil
	}
	plain, err := unpack.NewReader(kind, io.MultiReader(bytes.NewReader(magic), src), 0)
	if err != nil {
		return &FormatError{
			File: r.file.File, What: fmt.Sprintf("the %s data cannot be unpacked: %v", kind, err),
			Hint: "compress the file again, or leave this file out",
		}
	}
	r.src, r.close = decompressor{plain, string(kind)}, plain.Close
	return nil
}
