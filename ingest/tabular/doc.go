// Package tabular reads columns of tables: Parquet, CSV, or the output of a tool, which package
// tool turns into CSV. Files may be compressed.
//
// The input is a path and a list of wanted columns ([Open], [Want]). The output is blocks of typed
// columns ([Block]): times in nanoseconds, numbers, and texts as codes of a dictionary ([Lexicon]).
// The package reads every byte of a table and has to be fast. So it allocates no struct and no string
// for a row.
//
// A file is divided into parts: the row groups of Parquet, or ranges of bytes of uncompressed CSV.
// Parts can be read concurrently and in any order. A row or a value with a fault is left out. The
// type [Faults] counts the faults of each kind, and stores the lines of the first faults.
//
// The package also reads the keys that all descriptions of tables have in common ([Decoder]), for
// ingest/tables, ingest/store and study/source. It does not depend on drives or peer groups.
//
// Read file.go first, then column.go and describe.go.
package tabular
