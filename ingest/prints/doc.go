// Package prints reads files with the output of tools that ran once or a few times. The command
// `limpet look` uses this package.
//
// The input is files, or standard input. A file is one of two kinds, which the package recognises
// by the content:
//
//   - A print is the output of a tool that shows latencies (package tool).
//   - A map shows which server each component of a site belongs to (package topology/site).
//
// A file that is neither a print nor a map may be a table (tool.ReadTable). The numbers of a table
// are used only if the header of the table, or the unit of the numbers, shows that they are
// latencies or rates.
//
// The output is a list of looks. A look has the values of each component in one print (package
// engine/look). If a map has the server and the kind of a component, the look has them too. The
// output also has the components that moved between two maps. If a line is damaged, a warning names
// the file and the line, and the other lines are used.
//
// Read read.go first.
package prints
