// Package tables is the source of rows that are made of long tables: CSV and
// Parquet files with a line for each component and time, as a description
// says.
//
// In the stream it stands where collect/activity does, for measurements that
// others have collected.
package tables
