package site

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// unpacked decompresses what gzip or zstd compressed, up to maxFile.
func unpacked(data []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, maxFile+1))
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderMaxMemory(maxFile))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(io.LimitReader(r, maxFile+1))
	}
	return data, nil
}

// maxInside is how many files an archive may hold.
const maxInside = 100_000

// untar takes the files of an archive. Nothing is written anywhere.
func (g *gatherer) untar(file string, data []byte, depth int) {
	r := tar.NewReader(bytes.NewReader(data))
	for n := 0; ; n++ {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil || n == maxInside {
			g.refuse(file, fmt.Sprintf("the archive is incomplete: it ends after %d files; make the archive again", n))
			return
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		inner, err := io.ReadAll(io.LimitReader(r, maxFile))
		if err != nil {
			g.refuse(file, fmt.Sprintf("the archive is incomplete: it ends within %s; make the archive again", h.Name))
			return
		}
		if len(inner) > 0 {
			g.take(inside(file, h.Name), inner, depth+1)
		}
	}
}
