// Package tool reads the output of tools that sites use already: iostat, sar,
// zpool, ceph and others.
//
// Text, JSON or XML comes in. Two kinds of data go out. A [TableFormat] makes
// lines of CSV, which package tabular reads like any other table, so that
// clocks, names, faulty lines and memory are handled in one place. A
// [HistogramFormat] makes [Sample]s of latencies, which package ingest turns
// into rows. A format adds nothing to the output of its tool: a value that the
// tool did not print stays empty.
//
// Where a tool prints a line for each row, the line of CSV has the same line
// number, so that messages about a row name the line of the file.
//
// Read registry.go first (the list of tools), then iostat.go for a tool with a
// table, and ceph.go for a tool with a table and histograms. A new tool is a
// file with its formats, and a line in the list.
package tool
