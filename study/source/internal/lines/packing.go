package lines

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A Packing is how a file is compressed.
type Packing string

// The packings.
const (
	Unpacked  Packing = "CSV"
	gzipped   Packing = "gzip"
	zstandard Packing = "zstd"
)

// PackingOf tells it by the first bytes of a file.
func PackingOf(magic []byte) Packing {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzipped
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard
	}
	return Unpacked
}

// open reads src unpacked.
func (p Packing) open(src io.Reader) (io.Reader, func(), error) {
	switch p {
	case gzipped:
		r, err := gzip.NewReader(src)
		return r, func() {}, err
	case zstandard:
		r, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	return src, func() {}, nil
}
