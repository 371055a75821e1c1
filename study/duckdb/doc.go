// Package duckdb holds the study of a fleet against DuckDB, which reads the
// same Parquet files and counts the same: is the result the same, and how long
// does each take? It is a module of its own, since DuckDB needs a C compiler
// and is no part of limpet.
package duckdb
