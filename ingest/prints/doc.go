// Package prints reads files with the output of tools, for limpet look. Each tool ran once or a few
// times.
//
// The input is files, or standard input. A file is a print with latencies (package tool), or a map of a
// site (package topology/site). The package recognises a file by its content. The output is looks at
// components (package engine/look). If a map has the server and the kind of a component, the look has
// them too. The output also has the components that moved between two maps. For a damaged line, there
// is a warning with the file and the line, and the other lines are used.
//
// Read read.go first.
package prints
