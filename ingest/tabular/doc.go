// Package tabular reads columns of tables: Parquet, CSV, or the output of a tool as
// CSV (package tool), plain or compressed.
//
// A path and a list of wanted columns come in ([Open], [Want]). Blocks of typed
// columns go out ([Block]): times in nanoseconds, numbers, and texts as codes of a
// dictionary ([Lexicon]). It makes no struct and no string for a row, as this is
// where every byte of a table is read.
//
// A file is divided into parts: the row groups of Parquet, or stretches of plain
// CSV. Parts can be read concurrently and in any order. A fault in a row or a value
// costs that row or value, and is counted with its line ([Faults]).
//
// The package also reads the keys that all descriptions of tables have in common
// ([Decoder]), for ingest/tables, ingest/store and study/source. It has no notion of
// drives or peers.
//
// Read file.go first, then column.go and describe.go.
package tabular
