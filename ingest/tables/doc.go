// Package tables makes rows from long tables: CSV and Parquet files with a line for each component
// and time, and the tables that tools print.
//
// The input is paths and a [Description]. The description names the columns with the time, the name
// of the component, its peer group and its metrics. [Open] returns a [Source], which yields the
// rows of all files in order of time, one row for each step. Presets are descriptions for the
// output of known tools. [Describe] drafts a description of an unknown table. [Recognise] finds out
// whether a file is a table that this package can read.
//
// Read source.go first: it reads all files twice and yields rows. Then read description.go. Then
// read cursor.go: it yields the samples of one file, step by step.
package tables
