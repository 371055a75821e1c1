// Package watch says which files come, change, move and go below some paths. It
// opens files only to learn their size, and knows nothing of what they hold.
//
// It looks again and again instead of being told: network file systems tell
// nothing, a look at a hundred files takes a millisecond, and rows wait longer
// than that anyway.
package watch
