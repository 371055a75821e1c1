package segment

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// begin adds a column to the schema. The following pages belong to this column.
func (w *Writer) begin(name string, t format.Type, e format.Encoding) {
	element := format.SchemaElement{Name: name, Type: thrift.New(t), RepetitionType: thrift.New(format.Required)}
	switch t {
	case format.ByteArray:
		element.ConvertedType = thrift.New(deprecated.UTF8)
		element.LogicalType.Value = &format.StringType{}
	case format.Int64:
		element.ConvertedType = thrift.New(deprecated.TimestampMillis)
		element.LogicalType.Value = &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MilliSeconds{}}}
	}
	w.meta.Schema = append(w.meta.Schema, element)
	group := &w.meta.RowGroups[0]
	group.Columns = append(group.Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{
		Type: t, Encoding: thrift.Slice[format.Encoding]{e}, PathInSchema: thrift.Slice[string]{name},
		Codec: format.Zstd, NumValues: w.meta.NumRows,
	}})
	w.chunk, w.index = &group.Columns[len(group.Columns)-1], format.OffsetIndex{PageLocations: thrift.Slice[format.PageLocation]{}}
}

// dictionary writes the dictionary page of a column. This page lists the different values of the
// column.
func (w *Writer) dictionary(raw []byte, entries int) {
	w.chunk.MetaData.DictionaryPageOffset = w.offset
	w.chunk.MetaData.Encoding = append(w.chunk.MetaData.Encoding, format.Plain)
	w.packed = w.zstd.EncodeAll(raw, w.packed[:0])
	w.put(format.PageHeader{
		Type:                 format.DictionaryPage,
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(entries), Encoding: format.Plain}),
	}, len(raw), w.packed)
}

// page writes a page that is already compressed, and adds it to the index of the column's pages.
func (w *Writer) page(values int, e format.Encoding, rawBytes int, packed []byte) {
	at := w.offset
	if w.chunk.MetaData.DataPageOffset == 0 {
		w.chunk.MetaData.DataPageOffset = at
	}
	w.put(format.PageHeader{
		Type: format.DataPage,
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(values), Encoding: e, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		}),
	}, rawBytes, packed)
	row := int64(0)
	if n := len(w.index.PageLocations); n > 0 {
		row = int64(n * perPage(len(w.head.Times)) * len(w.head.Times))
	}
	w.index.PageLocations = append(w.index.PageLocations, format.PageLocation{Offset: at, CompressedPageSize: int32(w.offset - at), FirstRowIndex: row})
}

func (w *Writer) put(h format.PageHeader, rawBytes int, packed []byte) {
	h.UncompressedPageSize, h.CompressedPageSize, h.CRC = int32(rawBytes), int32(len(packed)), int32(crc32.ChecksumIEEE(packed))
	head := marshal(&h)
	w.write(head)
	w.write(packed)
	w.chunk.MetaData.TotalUncompressedSize += int64(len(head) + rawBytes)
	w.chunk.MetaData.TotalCompressedSize += int64(len(head) + len(packed))
}

// end ends a column. It keeps the index of the column's pages in memory. Writer.footer writes all
// indexes after the last column.
func (w *Writer) end() {
	b := marshal(&w.index)
	w.chunk.OffsetIndexOffset, w.chunk.OffsetIndexLength = int64(len(w.tails)), int32(len(b)) // Writer.footer adds the offset of the first index
	w.tails = append(w.tails, b...)
}

// footer writes the indexes of pages, the trailer (the offset of these indexes, and a checksum) and
// the footer.
func (w *Writer) footer() {
	start := w.offset
	group := &w.meta.RowGroups[0]
	for i := range group.Columns {
		c := &group.Columns[i]
		c.OffsetIndexOffset += start
		group.TotalByteSize += c.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += c.MetaData.TotalCompressedSize
	}
	w.meta.KeyValueMetadata = thrift.Slice[format.KeyValue]{{Key: noteKey, Value: noteOf(&w.head)}}
	foot := marshal(&w.meta)
	sum := crc32.Update(crc32.Checksum(w.tails, castagnoli), castagnoli, foot)
	b := binary.LittleEndian.AppendUint64(w.tails, uint64(start))
	b = append(binary.LittleEndian.AppendUint32(b, sum), foot...)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(foot))), magic...)
	w.write(b)
}
