// Package picture draws small pictures of numbers as text, one line each: the band of peers with
// marks for anomalous values, a ratio with its bounds, and a sparkline.
//
// In come numbers of a report. Out comes a line of [Width] columns, or a sparkline with one column
// for each value. The same numbers give the same line. Lines have block characters on a terminal
// with a UTF-8 locale, and otherwise ASCII characters. Read picture.go.
package picture
