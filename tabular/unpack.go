package tabular

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// A packing is how a file is compressed.
type packing string

const (
	unpacked  packing = "CSV"
	gzipped   packing = "gzip"
	zstandard packing = "zstd"
	xzipped   packing = "xz"
)

var magics = map[packing][]byte{
	gzipped: {0x1f, 0x8b}, zstandard: {0x28, 0xb5, 0x2f, 0xfd}, xzipped: {0xfd, '7', 'z', 'X', 'Z', 0},
}

// longestMagic is how many first bytes of a file tell what it is.
const longestMagic = 6

// packingOf tells it by the first bytes of a file.
func packingOf(first []byte) packing {
	for p, magic := range magics {
		if bytes.HasPrefix(first, magic) {
			return p
		}
	}
	return unpacked
}

// open reads src unpacked. Many files are read side by side, so each is
// unpacked by the one who reads it.
func (p packing) open(src io.Reader) (_ io.Reader, end func(), err error) {
	end = func() {}
	switch p {
	case gzipped:
		src, err = gzip.NewReader(src)
	case xzipped:
		src, err = xz.NewReader(src, 0)
	case zstandard:
		var r *zstd.Decoder
		if r, err = zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)); err == nil {
			src, end = r, r.Close
		}
	}
	return src, end, err
}
