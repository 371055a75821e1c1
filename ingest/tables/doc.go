// Package tables makes rows of long tables: CSV and Parquet files with a line for
// each component and time, and the tables that tools print.
//
// Paths and a [Description] come in: which columns are the time, the name of a
// component, its peer group and its metrics. [Open] returns a [Source], which yields
// the rows of all files in order of time, one row for each step. Presets are
// descriptions for the output of known tools, [Describe] drafts a description of an
// unknown table, and [Recognise] finds out what a file is.
//
// Read source.go first (two readings, then rows), then description.go and
// cursor.go (the samples of one file, step by step).
package tables
