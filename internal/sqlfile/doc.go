// Package sqlfile opens one SQLite file with one writer and many readers. After a power failure, a
// transaction is complete or absent. The writer never waits for a reader.
//
// If a file is damaged, of another program or of a newer version, Open returns an error with a
// hint, and does not change the file. Read open.go first, then write.go.
package sqlfile
