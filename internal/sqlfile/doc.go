// Package sqlfile opens one SQLite file with one writer and many readers. A transaction
// survives a loss of power as a whole or not at all, and a reader never keeps the writer
// waiting.
//
// A file that is damaged, foreign or of a newer version is refused with the cure in the
// error, and left as it is. Read open.go first, then write.go.
package sqlfile
