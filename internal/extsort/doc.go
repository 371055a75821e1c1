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
// chunks of a range. A range with more records than [Options].MaxRecords is
// cut into shorter ranges by a sorter of its own, again and again where it
// must be. A range of one single key cannot be cut: it is handed out in
// several parts.
//
// A temporary file is removed as soon as it is open, where the system allows
// that. So no file stays behind, however the program ends.
//
// Read sorter.go first (ranges and files), then writer.go and reader.go.
package extsort
