// Package duckdb compares the study of a fleet with DuckDB. Both read the same Parquet files and
// count the same quantities. The package checks that the counts are equal, and measures the
// time of both. Only make bench and make billion run it.
//
// The package is a separate module, because DuckDB needs a C compiler and is not a part of
// limpet: make build, make test and make lint do not use it. Read query.go first.
package duckdb
