// Package file is the files of a journal: how a snapshot and a log begin, and how
// records follow in a log.
//
// Everything has a checksum, so that a byte that was not written is never taken for
// one that was; and everything has a bound, so that a made-up file cannot take all
// memory. What a kill left of a record is told from damage: the former is no
// trouble. Which files belong together is the business of package journal.
package file
