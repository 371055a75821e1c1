// Package extsort sorts more records than memory holds, in temporary files.
//
// Records come in from one or several [Writer]s, in any order, each with a
// 64-bit key. They go out through [Reader]s: one range of keys after the
// other, in ascending order, each range small enough for memory. Within a
// range, records keep the order in which they came in, so that the caller can
// sort the range by the key and by whatever else it needs, stably.
//
// The method is a distribution sort. The caller gives the first key of each
// range. A writer collects the records of every range in memory and writes
// them as compressed chunks to its own temporary file. A reader loads all
// chunks of a range. If a range has more records than [Options].MaxRecords,
// another sorter splits it into shorter ranges, if necessary several times. A
// range of one single key cannot be split: a reader returns it in several
// parts.
//
// A temporary file is removed as soon as it is open, if the system allows
// that. So no file remains, even if the program is killed.
//
// Read sorter.go first (ranges and files), then writer.go and reader.go.
package extsort
