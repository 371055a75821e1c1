// Package segment stores a stretch of time as one Parquet file: some quantities of
// many components, rounded, at each of some times.
//
// A file has a row for each component and time, all times of a component together
// and all components of a peer group together:
//
//	component  group    time                  tps     await
//	1.0.0      primary  2011-05-09 00:00:15   12.5    4.1875
//	1.0.0      primary  2011-05-09 00:00:30   13      NaN
//	1.0.1      primary  2011-05-09 00:00:15   …
//
// Any tool reads that. Missing is NaN. Numbers are rounded to eight binary digits
// and stored as 32-bit floats whose bytes stand apart (BYTE_STREAM_SPLIT), of which
// half are zeros that compress to nothing.
//
// A page holds whole components, so that those of one peer group are read without
// the rest, and one time of all components by picking. Pages, indexes and footer
// have checksums: what is read is what was written.
//
// The package writes and reads pages by itself, a hundred times faster than row by
// row; tests hold it against parquet-go's own reader. It knows nothing of storage.
package segment
