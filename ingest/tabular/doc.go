// Package tabular reads a few columns of a table, each as what it stands for,
// a block of rows at a time, from Parquet or CSV, plain or compressed. It is
// where the bytes of tables are touched for the only time, so it works on
// typed columns and on dictionaries and makes no structs and no strings.
//
// A file is cut into parts, the row groups of Parquet or stretches of plain
// CSV, which can be read side by side and in any order. What is wrong with a
// row or a value costs that row or value, and is counted with its line.
//
// In the stream it stands first, below collect/tables and study/source. It
// knows nothing of drives, nor of what is done with the rows. Below it,
// tabular/csv cuts lines, tabular/clock reads times, tabular/paths picks files
// and tabular/describe reads what people write about tables.
package tabular
