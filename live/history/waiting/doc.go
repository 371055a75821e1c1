// Package waiting is rows that wait in memory until they are written as a segment,
// and the quarter hours that are made of them. It turns rows, which come time by
// time, into pages, which hold component by component.
package waiting
