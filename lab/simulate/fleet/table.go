package fleet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// A table is a file to which rows are written.
type table[T any] interface {
	Write(rows []T) error
	Close() error
}

// A csvLine is a row that can be written as a line of CSV.
type csvLine interface {
	csvHeader() string
	appendCSV(line []byte) []byte
}

// tables are files with the same rows, one of each format.
type tables[T any] []table[T]

// create creates a table for each format. Its path is path, a dot and the format.
func create[T csvLine](path string, formats []Format) (tables[T], error) {
	var out tables[T]
	for _, format := range formats {
		file, err := os.Create(path + "." + string(format))
		if err != nil {
			return nil, errors.Join(err, out.Close())
		}
		if format == CSV {
			out = append(out, newCSVTable[T](file))
		} else {
			out = append(out, newParquetTable[T](file))
		}
	}
	return out, nil
}

func (t tables[T]) Write(rows []T) error {
	for _, one := range t {
		if err := one.Write(rows); err != nil {
			return err
		}
	}
	return nil
}

func (t tables[T]) Close() error {
	var errs []error
	for _, one := range t {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// rowGroup is the number of rows in a row group of a Parquet file: enough rows to compress well,
// and few enough to read the file in parts.
const rowGroup = 1 << 19

type parquetTable[T any] struct {
	file io.Closer
	out  *bufio.Writer
	rows *parquet.GenericWriter[T]
}

func newParquetTable[T any](file io.WriteCloser) *parquetTable[T] {
	out := bufio.NewWriterSize(file, 1<<18)
	rows := parquet.NewGenericWriter[T](out,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.MaxRowsPerRowGroup(rowGroup),
		parquet.DefaultEncodingFor(parquet.Int32, &parquet.DeltaBinaryPacked),
		parquet.DefaultEncodingFor(parquet.Int64, &parquet.DeltaBinaryPacked),
		// Every page has nearly all values of these columns, so the bounds of pages are useless.
		parquet.SkipPageBounds("group"), parquet.SkipPageBounds("drive"), parquet.SkipPageBounds("role"))
	return &parquetTable[T]{file, out, rows}
}

func (t *parquetTable[T]) Write(rows []T) error {
	_, err := t.rows.Write(rows)
	return err
}

func (t *parquetTable[T]) Close() error {
	return errors.Join(t.rows.Close(), t.out.Flush(), t.file.Close())
}

type csvTable[T csvLine] struct {
	file io.Closer
	out  *bufio.Writer
	line []byte
}

func newCSVTable[T csvLine](file io.WriteCloser) *csvTable[T] {
	t := &csvTable[T]{file: file, out: bufio.NewWriterSize(file, 1<<18)}
	var row T
	fmt.Fprintln(t.out, row.csvHeader())
	return t
}

func (t *csvTable[T]) Write(rows []T) error {
	for i := range rows {
		t.line = append(rows[i].appendCSV(t.line[:0]), '\n')
		if _, err := t.out.Write(t.line); err != nil {
			return err
		}
	}
	return nil
}

func (t *csvTable[T]) Close() error { return errors.Join(t.out.Flush(), t.file.Close()) }
