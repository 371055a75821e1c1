// Package excerpt reads a part of what there is: a period, and the files of some
// servers.
//
// Files that lie outside are not opened, as far as their names and the time of
// their last writing say it; the name of a host that a file's name does not tell
// stands in its first bytes. Of the files that are left, rows outside the period
// are dropped. What was left out is counted and said.
//
// It stands around a source of rows.
package excerpt
