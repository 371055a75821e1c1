// Package column has what readers of tables fill and their callers take: which
// columns are wanted and as what, blocks of typed rows, texts as codes, names
// made of several columns, and what is wrong with rows and values.
//
// It stands below tabular, whose readers of CSV and Parquet share it, and
// opens no file.
package column
