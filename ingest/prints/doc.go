// Package prints reads files of what tools printed once or a few times, for limpet look.
//
// In come files, or standard input: prints with latencies (package tool), and maps of a site
// (package topology/site), recognised by their content. Out come looks at components, each with
// its server and kind as far as a map has them, and what moved between maps that were printed
// one after the other. A damaged line costs a warning with its file and line, and the rest is used.
//
// Read read.go first.
package prints
