// Package prints reads files with the output of tools that ran once or a few times. The command
// limpet look uses this package.
//
// The input is files, or standard input. A file is the output of a tool with latencies, which the
// code calls a print (package tool), or a map of a site (package topology/site). The package
// recognises a file by its content. The output is looks at components (package engine/look). If a
// map has the server and the kind of a component, these are added to the look. The output also has
// the components that moved between two maps. If a line is damaged, a warning names the file and
// the line, and the other lines are used.
//
// Read read.go first.
package prints
