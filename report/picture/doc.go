// Package picture draws small pictures of numbers as text, one line each: the band of peers with the
// anomalous ones marked, a ratio with its bounds, and a sparkline.
//
// In come numbers that a report has already, and out comes a line of [Width] columns or of one column
// a value. The same numbers give the same line. Lines are made of block characters on a terminal with
// a UTF-8 locale, and of ASCII elsewhere. Read picture.go.
package picture
