// Package segment stores the values of one period as a Parquet file: several quantities of many
// components at a list of times.
//
// The input is rounded numbers ([Code]), column by column ([Writer]). The numbers can be read by
// component or by time ([Segment.Range], [Segment.ReadStep]).
//
// A file has a row for each component and time. The rows of a component are next to each other, and
// the components of a peer group are next to each other:
//
//	component  group    time                  tps     await
//	1.0.0      primary  2011-05-09 00:00:15   12.5    4.1875
//	1.0.0      primary  2011-05-09 00:00:30   13      NaN
//	1.0.1      primary  2011-05-09 00:00:15   …
//
// Any Parquet tool can read the file. A missing value is NaN. Numbers are rounded to eight binary
// digits and stored as 32-bit floats. A page stores the first bytes of all its floats, then the
// second bytes of all floats, and so on (BYTE_STREAM_SPLIT). A rounded number has two zero bytes,
// so half of the page consists of zeros. Compressed zeros take almost no space.
//
// A page holds some of the components, with all times of each of these components. So a query about
// one peer group reads few pages. A query about one time reads every page of a column, and takes
// one value of each component. Pages, indexes and footer have checksums.
//
// # Why this package does not use the Parquet reader of ingest/tabular
//
// Package ingest/tabular reads Parquet files that other programs wrote, with any type and any
// encoding. It reads from the first row group to the last, into columns of 64-bit numbers. This
// package reads only the files that it wrote itself. It finds single pages through the index,
// checks the CRC of each page, and returns the upper 16 bits of each number without decoding the
// lower 16 bits. BenchmarkParquetReaders compares the two readers and parquet-go on the same file.
// Tests check the files with parquet-go.
//
// Read write.go first, then read.go.
package segment
