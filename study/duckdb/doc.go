// Package duckdb compares the study of a fleet with DuckDB, which reads the same
// Parquet files and counts the same quantities: the counts have to be equal, and the
// time of both is measured. Only make bench and make billion run it.
//
// The package is a module of its own, since DuckDB needs a C compiler and is no part of
// limpet: make build, make test and make lint do not see it. Read query.go first.
package duckdb
