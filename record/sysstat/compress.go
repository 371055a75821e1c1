package sysstat

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/internal/unpack"
)

// brokenError is a compressed file that breaks off or does not add up.
type brokenError struct {
	kind string
	err  error
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("the %s data are incomplete: their end is missing (%v)", e.kind, e.err)
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
			Hint: "compress the file again, or do not name this file",
		}
	}
	r.src, r.close = decompressor{plain, string(kind)}, plain.Close
	return nil
}
