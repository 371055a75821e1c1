package segment

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Head holds all data of a segment except the numbers in its columns.
type Head struct {
	Layout  *Layout
	Times   []int64 // Unix times, ascending
	Seconds int64   // length of the time that a value covers, in seconds; 0 for scores of windows
	Columns []string
}

// note holds the metadata that limpet adds to the footer.
type note struct {
	Version int     `json:"version"`
	Layout  string  `json:"layout"`
	Seconds int64   `json:"seconds"`
	Groups  []Group `json:"groups"`
}

const (
	noteKey = "limpet.history"
	version = 1
	magic   = "PAR1"
	// pageValues is the approximate number of values of a page. A page of this size compresses
	// well. A larger page would have more values of other groups, and a query about one group would
	// have to read these values too.
	pageValues = 32 << 10
	// trailerBytes is the size of the trailer, in bytes. The trailer stands between the indexes of
	// pages and the footer. It has the offset of the indexes, and the CRC-32C of indexes and footer.
	trailerBytes = 12
)

// Columns of every segment.
const (
	componentColumn = "component"
	groupColumn     = "group"
	timeColumn      = "time"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Page holds the codes of N components, beginning with the component that has the index Place. The
// codes of a component are next to each other, in order of time. Low holds the lower byte of each
// code, and High holds the upper byte.
type Page struct {
	Place, N  int
	Low, High []byte
}

// Put sets the i-th code.
func (p *Page) Put(i int, c Code) { p.Low[i], p.High[i] = byte(c), byte(c>>8) }

// Repeat sets n codes to c, beginning with the i-th code.
func (p *Page) Repeat(i, n int, c Code) {
	repeat(p.Low[i:][:n], byte(c))
	repeat(p.High[i:][:n], byte(c>>8))
}

func repeat(to []byte, b byte) {
	if b == 0 {
		clear(to) // much faster than the loop below
		return
	}
	for i := range to {
		to[i] = b
	}
}

// Fill is a function that fills a page with codes. If all codes are equal, the function may return
// this code and true, and leave the page unchanged.
type Fill func(*Page) (c Code, same bool)

// Writer writes segments, one after the other.
type Writer struct {
	out          io.Writer
	err          error
	offset       int64
	head         Head
	meta         format.FileMetaData
	chunk        *format.ColumnChunk
	index        format.OffsetIndex
	tails        []byte // page indexes of the columns so far; written after the last column
	zstd         *zstd.Encoder
	raw          []byte
	values       []byte // bytes of a page: two zero bytes for each code, then the lower bytes of all codes, then the upper bytes
	packed       []byte
	half         []byte             // compressed second half of a page
	uniformPages map[sameKey][]byte // compressed pages in which all codes are equal; the map is small, because pages have few different lengths
}

// NewWriter returns a writer.
func NewWriter() (*Writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20))
	return &Writer{zstd: z, uniformPages: map[sameKey][]byte{}}, err
}

// Write writes a segment. It calls columns(i) to get the codes of column i, one column after the
// other. It stops at the first error.
func (w *Writer) Write(out io.Writer, h Head, columns func(column int) (Fill, error)) error {
	w.out, w.err, w.offset, w.head, w.tails = out, nil, 0, h, w.tails[:0]
	w.meta = format.FileMetaData{Version: 1, NumRows: int64(len(h.Layout.Components) * len(h.Times)), CreatedBy: "limpet"}
	w.meta.Schema = thrift.Slice[format.SchemaElement]{{Name: "history", NumChildren: thrift.New(int32(len(h.Columns) + 3))}}
	w.meta.RowGroups = thrift.Slice[format.RowGroup]{{NumRows: w.meta.NumRows}}
	w.write([]byte(magic))
	w.names()
	for i, name := range h.Columns {
		fill, err := columns(i)
		if err != nil {
			return err
		}
		w.begin(name, format.Float, format.ByteStreamSplit)
		w.numbers(fill)
		w.end()
	}
	w.footer()
	return w.err
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
		w.offset += int64(len(b))
	}
}

// perPage returns the number of components in a page. The parameter `times` is the length of
// Head.Times.
func perPage(times int) int { return max(1, pageValues/max(1, times)) }

// pages calls do(place, n) for each page: `place` is the index of the page's first component, and
// `n` is the number of components in the page.
func (h *Head) pages(do func(place, n int)) {
	step := perPage(len(h.Times))
	for place := 0; place < len(h.Layout.Components); place += step {
		do(place, min(step, len(h.Layout.Components)-place))
	}
}

// numbers writes the pages of a column of numbers.
func (w *Writer) numbers(fill Fill) {
	times := len(w.head.Times)
	w.head.pages(func(place, n int) {
		values := n * times
		if len(w.values) != 4*values {
			w.values = make([]byte, 4*values)
		}
		p := &Page{place, n, w.values[2*values : 3*values], w.values[3*values:]}
		w.page(values, format.ByteStreamSplit, 4*values, w.pack(p, fill))
	})
}

// pack fills a page with codes and compresses the page.
func (w *Writer) pack(p *Page, fill Fill) []byte {
	if c, same := fill(p); same {
		return w.packSame(p, c)
	}
	w.packed = w.packZeros(w.packed[:0])
	return w.packed
}

// packSame returns a compressed page in which all codes are equal. An idle system has many equal
// pages, so packSame keeps each compressed page and compresses it only once.
func (w *Writer) packSame(p *Page, c Code) []byte {
	key := sameKey{len(p.Low), c}
	if w.uniformPages[key] == nil {
		p.Repeat(0, len(p.Low), c)
		w.uniformPages[key] = w.packZeros(nil)
	}
	return w.uniformPages[key]
}

type sameKey struct {
	values int
	code   Code
}

// names writes the columns `component`, `group` and `time`.
func (w *Writer) names() {
	l, times := w.head.Layout, len(w.head.Times)
	w.begin(componentColumn, format.ByteArray, format.RLEDictionary)
	w.dictionary(texts(l.Components), len(l.Components))
	w.indexes(len(l.Components), func(b []byte, place, n, width int) []byte {
		for i := range n {
			b = appendRun(b, place+i, times, width)
		}
		return b
	})
	w.end()

	names := make([]string, len(l.Groups))
	var groups []int
	for i, g := range l.Groups {
		names[i] = g.Name
		groups = append(groups, slices.Repeat([]int{i}, g.Members)...)
	}
	w.begin(groupColumn, format.ByteArray, format.RLEDictionary)
	w.dictionary(texts(names), len(names))
	w.indexes(len(names), func(b []byte, place, n, width int) []byte {
		for _, g := range groups[place : place+n] {
			b = appendRun(b, g, times, width)
		}
		return b
	})
	w.end()

	w.begin(timeColumn, format.Int64, format.RLEDictionary)
	w.dictionary(millis(w.head.Times), times)
	w.cycles()
	w.end()
}

// cycles writes the pages of the column `time`. The content of a page depends only on its number of
// components. All pages except the last have the same number. So cycles encodes at most two pages.
func (w *Writer) cycles() {
	bits, last, times := width(len(w.head.Times)), 0, len(w.head.Times)
	w.head.pages(func(_, n int) {
		if n != last {
			w.raw = appendCycles(append(w.raw[:0], byte(bits)), times, n, bits)
			w.packed, last = w.zstd.EncodeAll(w.raw, w.packed[:0]), n
		}
		w.page(n*times, format.RLEDictionary, len(w.raw), w.packed)
	})
}

// indexes writes the pages of a column as indexes into the dictionary of the column. The parameter
// `entries` is the number of entries of the dictionary. indexes calls the function `put` to append
// the indexes of one page.
func (w *Writer) indexes(entries int, put func(b []byte, place, n, width int) []byte) {
	bits := width(entries)
	w.head.pages(func(place, n int) {
		w.raw = put(append(w.raw[:0], byte(bits)), place, n, bits)
		w.packed = w.zstd.EncodeAll(w.raw, w.packed[:0])
		w.page(n*len(w.head.Times), format.RLEDictionary, len(w.raw), w.packed)
	})
}

func texts(list []string) (b []byte) {
	for _, s := range list {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
	}
	return b
}

func millis(times []int64) (b []byte) {
	for _, t := range times {
		b = binary.LittleEndian.AppendUint64(b, uint64(t*1000))
	}
	return b
}

func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// marshal encodes a struct in Thrift's compact protocol.
func marshal(v any) []byte {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		panic(err) // cannot happen: parquet-go defines these structs
	}
	return b
}

func noteOf(h *Head) string {
	b, _ := json.Marshal(note{version, h.Layout.Hash(), h.Seconds, h.Layout.Groups}) // no error: a note can always be written as JSON
	return string(b)
}
