package tables

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"

	"github.com/limpet-storage/limpet/tabular/paths"
)

// batchLines is how many lines are read at a time: few, because as many files
// are read side by side as there are servers.
const batchLines = 512

// A tableReader reads the samples of one file in the order of its lines.
type tableReader interface {
	// read appends some samples; io.EOF says that there are no more.
	read(*samples) error
	bound() *binding
}

// An openTable is a file that is being read.
type openTable struct {
	tableReader
	file   *os.File
	unpack io.Closer // nil where nothing is to be closed
}

func (t *openTable) Close() error {
	if t.unpack != nil {
		t.unpack.Close()
	}
	return t.file.Close()
}

// open begins to read a file as what its first bytes say it is, whatever its
// name; io.EOF says that it has no header.
func (f *tableFile) open(d *Description) (*openTable, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, paths.FileFirst(err)
	}
	t := &openTable{file: file}
	if err := t.begin(d, f); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func (t *openTable) begin(d *Description, f *tableFile) error {
	magic := make([]byte, 6)
	n, err := t.file.ReadAt(magic, 0)
	if err != nil && err != io.EOF {
		return paths.FileFirst(err)
	}
	if bytes.HasPrefix(magic[:n], []byte("PAR1")) {
		p, err := openParquet(d, f, t.file)
		if err == nil {
			t.tableReader, t.unpack = p, p
		}
		return err
	}
	src, err := t.unpacked(magic[:n], io.NewSectionReader(t.file, 0, f.size))
	if err != nil {
		return err
	}
	t.tableReader, err = openCSV(d, f, src)
	return err
}

// unpacked decompresses what is compressed.
func (t *openTable) unpacked(magic []byte, src io.Reader) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(src)
		return unpacking{r, "gzip"}.orBroken(err)
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err == nil {
			t.unpack = r.IOReadCloser()
		}
		return unpacking{r, "zstd"}.orBroken(err)
	case bytes.HasPrefix(magic, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		r, err := xz.NewReader(src, 0)
		return unpacking{r, "xz"}.orBroken(err)
	}
	return src, nil
}

// unpacking marks the errors of a compressed file as such.
type unpacking struct {
	io.Reader
	kind string
}

// A brokenError is a file that cannot be read on from some place.
type brokenError struct {
	kind string
	err  error
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("the %s data end here: %v; what comes before is used: write the file again", e.kind, e.err)
}

func (e *brokenError) Unwrap() error { return e.err }

func (u unpacking) orBroken(err error) (io.Reader, error) {
	if err != nil {
		return nil, &brokenError{u.kind, err}
	}
	return u, nil
}

func (u unpacking) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = &brokenError{u.kind, err}
	}
	return n, err
}
