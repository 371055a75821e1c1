package tabular

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"github.com/limpet-storage/limpet/internal/unpack"
)

// Limits for the sizes in the metadata of a file. The limits for pages are several
// times the page sizes that writers use by default.
const (
	maxFooter     = 64 << 20 // largest size of the footer, in bytes
	maxHeader     = 64 << 10 // largest size of the header of a page, in bytes
	maxPageBytes  = 64 << 20 // largest size of a page, packed or unpacked, in bytes
	maxPageValues = 1 << 22  // largest number of values of a page
	rowBytes      = 16       // smallest plausible size of a row in bytes, written as a line of text
	tailBytes     = 8        // size of the end of a file in bytes: the length of the footer, and the text PAR1
)

// checkFooter returns an error if the footer is wrong. openParquet calls it before the Parquet
// library allocates memory for the footer.
func checkFooter(file io.ReaderAt, size int64) error {
	var tail [tailBytes]byte
	if size < 4+tailBytes {
		return fmt.Errorf("the file has only %d bytes and no footer, so it is not a complete Parquet file; write the file again", size)
	}
	if _, err := file.ReadAt(tail[:], size-tailBytes); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case string(tail[4:]) != "PAR1":
		return fmt.Errorf("the end of the file is not the end of a Parquet file: the file is incomplete or has another format")
	case length > size-tailBytes:
		return fmt.Errorf("the file is damaged: its end states a footer of %d bytes, but the file has only %d bytes", length, size)
	case length > maxFooter:
		return fmt.Errorf("its footer has more than %d MB", maxFooter>>20)
	}
	footer := make([]byte, length)
	if _, err := file.ReadAt(footer, size-tailBytes-length); err != nil {
		return err
	}
	_, err := walk(footer, nil)
	return err
}

// checkRows returns an error if the metadata of the row groups have more rows than a file
// of this size can have. Reading this number of rows would take too long.
func checkRows(groups []format.RowGroup, size int64) error {
	most := (unpack.FreeBytes + unpack.MaxRatio*size) / rowBytes
	for i := range groups {
		n := groups[i].NumRows
		if most -= n; n < 0 || most < 0 {
			return fmt.Errorf("the file is damaged: the file has %d bytes and states more than %d rows for each byte, which is impossible", size, unpack.MaxRatio/rowBytes)
		}
	}
	return nil
}

// checkPages returns an error if a page of a column is damaged, or would take too much memory.
func checkPages(file io.ReaderAt, size int64, c *format.ColumnMetaData) error {
	at := c.DataPageOffset
	if d := c.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	if at < 0 || c.TotalCompressedSize < 0 || at > size || c.TotalCompressedSize > size-at {
		return fmt.Errorf("the file is damaged: the stated position of its pages is beyond the end of the file")
	}
	end := at + c.TotalCompressedSize
	buf := make([]byte, 256)
	for at < end {
		n, err := checkPage(file, at, end, &buf)
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// Numbers of the fields in the header of a page, which is in Thrift's format.
const (
	unpackedSize, packedSize   = 2, 3
	dataPage, dictionary       = 5, 7
	dataPageV2, numberOfValues = 8, 1
)

// checkPage checks the page at an offset, and returns its length in bytes. Most headers
// are short, so it first reads only the bytes that fit into buf. A header with statistics
// of long texts needs a larger buf.
func checkPage(file io.ReaderAt, at, end int64, buf *[]byte) (int64, error) {
	for {
		b := (*buf)[:min(int64(len(*buf)), end-at)]
		if _, err := file.ReadAt(b, at); err != nil {
			return 0, err
		}
		var unpacked, packed, values int64
		n, err := walk(b, func(within, field int, v int64) {
			switch {
			case within == 0 && field == unpackedSize:
				unpacked = v
			case within == 0 && field == packedSize:
				packed = v
			case field == numberOfValues && (within == dataPage || within == dictionary || within == dataPageV2):
				values = v
			}
		})
		switch {
		case err != nil && int64(len(b)) < min(maxHeader, end-at):
			*buf = make([]byte, maxHeader)
			continue
		case err != nil || packed < 0 || unpacked < 0 || values < 0:
			return 0, errPageHeader
		case unpacked > maxPageBytes || packed > maxPageBytes:
			return 0, fmt.Errorf("a page of the file has %d bytes, and limpet reads at most %d bytes; write the file with smaller pages", max(packed, unpacked), maxPageBytes)
		case values > maxPageValues:
			return 0, fmt.Errorf("a page of the file has %d values, and limpet reads at most %d values; write the file with smaller pages or row groups", values, maxPageValues)
		}
		return int64(n) + packed, nil
	}
}
