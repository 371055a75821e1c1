// Package pages reads columns of Parquet files, whole pages at a time, by their
// physical types. A dictionary is decoded once, and rows are looked up in it.
//
// It stands below tabular, beside tabular/csv, and says nothing of paths: who
// opened the file names it in errors.
package pages
