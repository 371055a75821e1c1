// Package tool reads the output of tools that sites already use: iostat, sar, zpool, ceph and
// others.
//
// The input is text, JSON or XML. The output is one of two kinds of data:
//
//   - A [TableFormat] makes lines of CSV, which package tabular reads like any other table. Package
//     tabular handles times, names, faulty lines and the use of memory.
//   - A [HistogramFormat] makes histograms of latencies ([Sample]), which package ingest turns into
//     rows.
//
// If a tool does not print a value, the value stays empty.
//
// If a tool prints one line for each row, the CSV has the line numbers of the tool's output. So a
// message about a row has the right line number.
//
// Read registry.go first (the list of tools), then iostat.go for a tool with a table, and ceph.go
// for a tool with a table and histograms. To add a tool, add a file with its formats, and a line in
// the list.
package tool
