package tabular

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

type row struct {
	Time  int64  `parquet:"time"`
	Drive string `parquet:"drive,dict"`
}

// written is a small file as others write it.
func written(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	for i := range 1000 {
		if _, err := w.Write([]row{{int64(i), strings.Repeat("d", 1+i%9)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// varint is an integer as Thrift writes it, of a field after the one before.
func varint(v int64) []byte { return binary.AppendVarint([]byte{0x15}, v) }

// header is that of a page.
func header(unpacked, packed, values int64) []byte {
	return bytes.Join([][]byte{varint(0), varint(unpacked), varint(packed), {0x2c}, varint(values), {0, 0}}, nil)
}

func list(n uint64, elements int) []byte {
	return append(binary.AppendUvarint([]byte{0x19, 0xfc}, n), make([]byte, elements)...)
}

// TestFooters: what a footer claims is not believed.
func TestFooters(t *testing.T) {
	good := written(t)
	footer := func(b []byte) []byte {
		file := append([]byte("PAR1"), b...)
		return append(binary.LittleEndian.AppendUint32(file, uint32(len(b))), "PAR1"...)
	}
	huge := bytes.Clone(good)
	binary.LittleEndian.PutUint32(huge[len(huge)-8:], 1<<32-1)
	for want, file := range map[string][]byte{
		"": good,
		"its end states a footer of 4294967295 bytes, but the file has":                                      huge,
		"the end of the file is not the end of a Parquet file: the file is incomplete or has another format": good[:len(good)-1],
		"the file has only 7 bytes and no footer":                                                            good[:7],
		"cut off or damaged": footer(list(1<<31-1, 5)),
		"row groups times the number of columns is more than 524288": footer(list(600_000, 600_001)),
		"its footer is cut off or damaged":                           footer(bytes.Repeat([]byte{0x1c}, 1000)),
	} {
		_, err := openParquet(bytes.NewReader(file), int64(len(file)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestRows: a small file has no trillion rows.
func TestRows(t *testing.T) {
	if err := checkRows([]format.RowGroup{{NumRows: 1 << 20}, {NumRows: 1 << 20}}, 1000); err != nil {
		t.Error(err)
	}
	for _, rows := range []int64{1 << 40, -1, 1<<63 - 1} {
		if err := checkRows([]format.RowGroup{{NumRows: 1}, {NumRows: rows}}, 1000); err == nil || !strings.Contains(err.Error(), "has 1000 bytes and states more than") {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

// TestPages: a page that would take gigabytes is refused by its header.
func TestPages(t *testing.T) {
	for want, b := range map[string][]byte{
		"": header(100, 0, 10),
		"a page of the file has 1073741824 bytes":    header(1<<30, 0, 10),
		"a page of the file has 2147483647 values":   header(100, 0, 1<<31-1),
		"the header of a page is cut off or damaged": header(100, -5, 10),
		"header of a page is cut off or damaged":     header(100, 0, 10)[:4],
	} {
		err := checkPages(bytes.NewReader(b), int64(len(b)), &format.ColumnMetaData{TotalCompressedSize: int64(len(b))})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	beyond := &format.ColumnMetaData{DataPageOffset: 8, TotalCompressedSize: 1 << 62}
	if err := checkPages(bytes.NewReader(nil), 10, beyond); err == nil {
		t.Error("pages beyond the end of the file")
	}
	good := written(t)
	f, err := openParquet(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Read(0, []Want{{Column: "drive", Type: Text, Words: &Lexicon{}}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b Block
	if err := r.Next(&b); err != nil || b.Rows != 1000 {
		t.Errorf("%d rows, %v", b.Rows, err)
	}
}

// FuzzWalk: whatever the bytes, walking over them ends within them.
func FuzzWalk(f *testing.F) {
	f.Add(header(1, 2, 3))
	f.Add(list(3, 3))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := walk(b, nil); n > len(b) || err == nil && n == 0 {
			t.Errorf("%d of %d bytes", n, len(b))
		}
	})
}
