// Package tool makes tables of what tools print for people.
//
// A form turns text, JSON or XML into lines of CSV as it is read, so that
// everything behind it, clocks, names, faults, memory, is that of any other
// table. Where a tool prints a line for each row, a line of the table has the
// number of the line that it came from, so that whatever is said of it can be
// looked up. A form invents nothing: what a tool did not print is empty.
//
// It stands beside tabular, which reads through it, and knows nothing of
// storage.
package tool
