// Package sqlfile keeps one SQLite file with one writer and many readers: what is
// written in one transaction survives a loss of power or is not there at all, and
// nobody who reads keeps the writer waiting.
//
// A file that is damaged, foreign or of a newer version is refused with a sentence
// that says what to do, and left as it is. It knows nothing of what it keeps.
package sqlfile
