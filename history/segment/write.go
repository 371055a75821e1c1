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

// Head says what a segment holds.
type Head struct {
	Layout  *Layout
	Times   []int64 // Unix times, ascending
	Seconds int64   // that a value covers; 0 where that has no meaning
	Columns []string
}

// note is what stands in the footer beside what Parquet asks for.
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
	// pageValues is how many values a page has, about: enough to compress well, and
	// few enough to read one group without many others.
	pageValues = 64 << 10
	// trailerBytes stand before the footer: where the indexes begin, and the CRC-32C
	// of these and of the footer.
	trailerBytes = 12
)

// The columns that every segment has.
const (
	componentColumn = "component"
	groupColumn     = "group"
	timeColumn      = "time"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Fill writes the codes of n components from a place on, all times of each
// together.
type Fill func(place, n int, to []Code)

// Writer writes segments, one after the other.
type Writer struct {
	out    io.Writer
	err    error
	at     int64
	head   Head
	meta   format.FileMetaData
	chunk  *format.ColumnChunk
	index  format.OffsetIndex
	tails  []byte // indexes of pages
	zstd   *zstd.Encoder
	codes  []Code
	raw    []byte
	packed []byte
	zeros  map[int][]byte // pages of so many zeros, compressed
}

// NewWriter returns a writer.
func NewWriter() (*Writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20))
	return &Writer{zstd: z, zeros: map[int][]byte{}}, err
}

// Write writes a segment. It asks columns for one after the other, and ends at an
// error.
func (w *Writer) Write(out io.Writer, h Head, columns func(column int) (Fill, error)) error {
	w.out, w.err, w.at, w.head, w.tails = out, nil, 0, h, w.tails[:0]
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
		w.values(fill)
		w.end()
	}
	w.footer()
	return w.err
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
		w.at += int64(len(b))
	}
}

// perPage is how many components a page holds.
func perPage(times int) int { return max(1, pageValues/max(1, times)) }

// pages calls do for each page, with its first component and how many it has.
func (h *Head) pages(do func(place, n int)) {
	step := perPage(len(h.Times))
	for place := 0; place < len(h.Layout.Components); place += step {
		do(place, min(step, len(h.Layout.Components)-place))
	}
}

// values writes the pages of a column of numbers.
func (w *Writer) values(fill Fill) {
	times := len(w.head.Times)
	w.head.pages(func(place, n int) {
		w.codes = resize(w.codes, n*times)
		fill(place, n, w.codes)
		w.page(n*times, format.ByteStreamSplit, 4*n*times, w.pack(w.codes))
	})
}

// pack compresses a page of numbers: four times as many bytes as there are, first
// the lowest of each. Pages of zeros, of which an idle system has many, are
// compressed once.
func (w *Writer) pack(codes []Code) []byte {
	n := len(codes)
	idle := isZero(codes)
	if idle && w.zeros[n] != nil {
		return w.zeros[n]
	}
	w.raw = resize(w.raw, 4*n)
	split(w.raw, codes)
	w.packed = w.zstd.EncodeAll(w.raw, w.packed[:0])
	if idle {
		w.zeros[n] = slices.Clone(w.packed)
	}
	return w.packed
}

func isZero(codes []Code) bool {
	for _, c := range codes {
		if c != 0 {
			return false
		}
	}
	return true
}

// split sets the bytes of numbers apart; the lower two of each are zero.
func split(to []byte, codes []Code) {
	n := len(codes)
	clear(to[:2*n])
	low, high := to[2*n:3*n], to[3*n:4*n]
	for i, c := range codes {
		low[i], high[i] = byte(c), byte(c>>8)
	}
}

// names writes the columns that say whom and when the numbers are of.
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
	w.indexes(times, func(b []byte, _, n, width int) []byte { return appendCycles(b, times, n, width) })
	w.end()
}

// indexes writes pages of places in a dictionary.
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

// marshal writes a struct as Parquet stores it.
func marshal(v any) []byte {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		panic(err) // the structs are parquet-go's own
	}
	return b
}

func noteOf(h *Head) string {
	b, _ := json.Marshal(note{version, h.Layout.Hash(), h.Seconds, h.Layout.Groups}) // plain data
	return string(b)
}
