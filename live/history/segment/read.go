package segment

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

var errDamaged = errors.New("the file is damaged")

// maxPageBytes limits the size of a decompressed page, so that a damaged file cannot exhaust the
// memory.
const maxPageBytes = 64 << 20

// Reader opens segments. Several goroutines may use it.
type Reader struct {
	zstd *zstd.Decoder

	mu      sync.Mutex
	layouts map[string]*Layout // layouts in memory, by hash; many segments share a layout
}

// maxLayouts is the largest number of layouts in memory. A small number is enough, because systems
// seldom change.
const maxLayouts = 64

// NewReader returns a reader that has no layouts in memory yet.
func NewReader() (*Reader, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxPageBytes), zstd.WithDecoderMaxWindow(8<<20))
	return &Reader{zstd: z, layouts: map[string]*Layout{}}, err
}

// Segment is a file whose footer was read. A Segment does not keep the file open.
type Segment struct {
	Head
	path   string
	reader *Reader
	places map[string]int // index of each column, by name

	mu    sync.Mutex
	index []byte // page indexes of all columns, in the encoding of the file
	start int64  // offset of index in the file
	refs  []indexRef
	pages [][]format.PageLocation // locations of the pages of each column; nil if they are not decoded yet
}

// indexRef is the location of the page index of a column.
type indexRef struct{ offset, length, dictionary int64 }

// Open reads the footer of a segment, its times and its layout.
func (r *Reader) Open(path string) (s *Segment, err error) {
	defer recoverDamage(&err)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s = &Segment{path: path, reader: r, places: map[string]int{}}
	meta, err := s.footer(f)
	if err != nil {
		return nil, err
	}
	return s, s.settle(f, meta)
}

// Check returns an error if a file does not end like a segment, for example because the file was
// cut off. Check reads only eight bytes.
func Check(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, _, err = readEnd(f)
	return err
}

// Verify reads all pages of a segment, and checks their checksums.
func (r *Reader) Verify(ctx context.Context, path string) (s *Segment, err error) {
	defer recoverDamage(&err)
	if s, err = r.Open(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for i, ref := range s.refs {
		pages, err := s.locations(i)
		if err != nil {
			return nil, err
		}
		if ref.dictionary > 0 && len(pages) > 0 {
			pages = append([]format.PageLocation{{Offset: ref.dictionary, CompressedPageSize: int32(pages[0].Offset - ref.dictionary)}}, pages...)
		}
		for _, at := range pages {
			if _, _, err := s.page(f, at, nil); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return s, nil
}

// readEnd reads the end of a file. It returns the size of the file, and the offset of the trailer.
// The trailer stands before the footer.
func readEnd(f *os.File) (size, trailer int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	size, end := info.Size(), make([]byte, 8)
	if size < 12+trailerBytes {
		return 0, 0, errDamaged
	}
	if _, err := f.ReadAt(end, size-8); err != nil {
		return 0, 0, err
	}
	trailer = size - 8 - int64(binary.LittleEndian.Uint32(end)) - trailerBytes
	if string(end[4:]) != magic || trailer < 4 {
		return 0, 0, errDamaged
	}
	return size, trailer, nil
}

// recoverDamage turns a panic into an error. Damaged data can cause such a panic.
func recoverDamage(err *error) {
	if e := recover(); e != nil {
		*err = fmt.Errorf("%w (%v)", errDamaged, e)
	}
}

// footer reads the indexes of pages and the footer, and compares them with their checksum.
func (s *Segment) footer(f *os.File) (*format.FileMetaData, error) {
	size, at, err := readEnd(f)
	if err != nil {
		return nil, err
	}
	trailer := make([]byte, trailerBytes)
	if _, err := f.ReadAt(trailer, at); err != nil {
		return nil, err
	}
	s.start = int64(binary.LittleEndian.Uint64(trailer))
	if s.start < 4 || s.start > at {
		return nil, errDamaged
	}
	b := make([]byte, size-8-s.start)
	if _, err := f.ReadAt(b, s.start); err != nil {
		return nil, err
	}
	s.index = b[:at-s.start]
	foot := b[at-s.start+trailerBytes:]
	if crc32.Update(crc32.Checksum(s.index, castagnoli), castagnoli, foot) != binary.LittleEndian.Uint32(trailer[8:]) {
		return nil, errDamaged
	}
	meta := &format.FileMetaData{}
	return meta, thrift.Unmarshal(new(thrift.CompactProtocol), foot, meta)
}

// settle sets the fields of the segment from the footer.
func (s *Segment) settle(f *os.File, meta *format.FileMetaData) error {
	var n note
	if len(meta.RowGroups) != 1 || len(meta.KeyValueMetadata) != 1 || json.Unmarshal([]byte(meta.KeyValueMetadata[0].Value), &n) != nil {
		return errDamaged
	}
	if n.Version != version {
		return fmt.Errorf("the file has format %d, but this version of limpet reads format %d", n.Version, version)
	}
	s.Seconds = n.Seconds
	for i, c := range meta.RowGroups[0].Columns {
		name := c.MetaData.PathInSchema[0]
		s.places[name] = i
		s.refs = append(s.refs, indexRef{c.OffsetIndexOffset, int64(c.OffsetIndexLength), c.MetaData.DictionaryPageOffset})
		if c.MetaData.Type == format.Float {
			s.Columns = append(s.Columns, name)
		}
	}
	s.pages = make([][]format.PageLocation, len(s.refs))
	raw, entries, err := s.dictionary(f, timeColumn)
	if err != nil || len(raw) != 8*entries {
		return errors.Join(err, ifNot(err, errDamaged))
	}
	for ; len(raw) > 0; raw = raw[8:] {
		s.Times = append(s.Times, int64(binary.LittleEndian.Uint64(raw))/1000)
	}
	return s.layout(f, &n)
}

// ifNot returns the error `other` if err is nil. If err is an error, ifNot returns nil, because the
// caller reports err and needs no second error.
func ifNot(err, other error) error {
	if err != nil {
		return nil
	}
	return other
}

// layout sets the field Layout. It reads the layout from the file only if the reader does not have
// the layout in memory.
func (s *Segment) layout(f *os.File, n *note) error {
	s.reader.mu.Lock()
	s.Layout = s.reader.layouts[n.Layout]
	s.reader.mu.Unlock()
	if s.Layout != nil {
		return nil
	}
	raw, entries, err := s.dictionary(f, componentColumn)
	if err != nil {
		return err
	}
	l := &Layout{Groups: n.Groups}
	for range entries {
		size := binary.LittleEndian.Uint32(raw)
		l.Components = append(l.Components, string(raw[4:4+size]))
		raw = raw[4+size:]
	}
	if err := l.check(); err != nil {
		return err
	}
	s.Layout = l
	s.reader.mu.Lock()
	defer s.reader.mu.Unlock()
	if len(s.reader.layouts) >= maxLayouts {
		clear(s.reader.layouts)
	}
	s.reader.layouts[n.Layout] = l
	return nil
}

// locations returns the locations of a column's pages.
func (s *Segment) locations(column int) ([]format.PageLocation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages[column] != nil {
		return s.pages[column], nil
	}
	ref := s.refs[column]
	var index format.OffsetIndex
	at := ref.offset - s.start
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), s.index[at:at+ref.length], &index); err != nil {
		return nil, err
	}
	s.pages[column] = index.PageLocations
	return index.PageLocations, nil
}

// dictionary reads the dictionary page of a column. This page lists the different values of the
// column.
func (s *Segment) dictionary(f *os.File, column string) (raw []byte, entries int, err error) {
	i, ok := s.places[column]
	if !ok {
		return nil, 0, errDamaged
	}
	pages, err := s.locations(i)
	if err != nil || len(pages) == 0 {
		return nil, 0, errors.Join(err, errDamaged)
	}
	at := s.refs[i].dictionary
	h, raw, err := s.page(f, format.PageLocation{Offset: at, CompressedPageSize: int32(pages[0].Offset - at)}, nil)
	return raw, int(h.DictionaryPageHeader.V.NumValues), err
}

// page reads a page and checks its checksum. If the given buffer is large enough, page stores the
// content of the page there.
func (s *Segment) page(f *os.File, at format.PageLocation, to []byte) (h format.PageHeader, raw []byte, err error) {
	b := make([]byte, at.CompressedPageSize)
	if _, err := f.ReadAt(b, at.Offset); err != nil {
		return h, nil, err
	}
	in := new(thrift.CompactProtocol).NewReaderFromBytes(b)
	if err := thrift.NewDecoder(in).Decode(&h); err != nil {
		return h, nil, errDamaged
	}
	b = b[in.BytesRead():]
	if len(b) != int(h.CompressedPageSize) || crc32.ChecksumIEEE(b) != uint32(h.CRC) || h.UncompressedPageSize > maxPageBytes {
		return h, nil, errDamaged
	}
	if raw, err = s.reader.zstd.DecodeAll(b, resize(to, int(h.UncompressedPageSize))[:0]); err != nil || len(raw) != int(h.UncompressedPageSize) {
		return h, nil, errDamaged
	}
	return h, raw, nil
}

// Range reads a column for the components with the indexes `first` to `last`-1. In the result, the
// values of a component are next to each other, in order of time. If the segment does not have the
// column, all values are missing.
func (s *Segment) Range(ctx context.Context, column string, first, last int) ([]Code, error) {
	out := make([]Code, (last-first)*len(s.Times))
	err := s.forEachPage(ctx, column, first, last, out, func(low, high []byte, place int) {
		from := max(place, first)
		to := min(place+len(low)/len(s.Times), last)
		skip := (from - place) * len(s.Times)
		part := out[(from-first)*len(s.Times) : (to-first)*len(s.Times)]
		low, high = low[skip:][:len(part)], high[skip:][:len(part)]
		for i := range part {
			part[i] = Code(low[i]) | Code(high[i])<<8
		}
	})
	return out, err
}

// ReadStep reads a column for all components, at the time with the given index in Segment.Times.
func (s *Segment) ReadStep(ctx context.Context, column string, at int) ([]Code, error) {
	n := len(s.Layout.Components)
	out := make([]Code, n)
	err := s.forEachPage(ctx, column, 0, n, out, func(low, high []byte, place int) {
		for i := at; i < len(low); i += len(s.Times) {
			out[place] = Code(low[i]) | Code(high[i])<<8
			place++
		}
	})
	return out, err
}

// forEachPage decompresses the pages of a column that hold components with the indexes `first` to
// `last`-1. For each page it calls do(low, high, place): `low` has the lower byte of each code,
// `high` has the upper byte, and `place` is the index of the page's first component. If the segment
// does not have the column, all codes in `out` are set to Missing.
func (s *Segment) forEachPage(ctx context.Context, column string, first, last int, out []Code, do func(low, high []byte, place int)) (err error) {
	defer recoverDamage(&err)
	i, ok := s.places[column]
	if !ok {
		for i := range out {
			out[i] = Missing
		}
		return nil
	}
	pages, err := s.locations(i)
	if err != nil {
		return err
	}
	f, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var raw []byte
	s.Head.pages(func(place, n int) {
		if err != nil || place >= last || place+n <= first {
			return
		}
		if err = ctx.Err(); err != nil {
			return
		}
		if _, raw, err = s.page(f, pages[place/perPage(len(s.Times))], raw); err != nil {
			return
		}
		if values := n * len(s.Times); len(raw) == 4*values {
			do(raw[2*values:3*values], raw[3*values:], place)
		} else {
			err = errDamaged
		}
	})
	return err
}
