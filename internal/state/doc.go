// Package state writes what a running analysis remembers, and reads it back.
//
// Every stage describes its memory once, in a method that takes a [Codec]. The
// same method writes and reads, so that the two cannot drift apart. A stage
// that remembers something of each component says so with an [Axis]: on
// reading, values go to the component of the same name, wherever it stands now.
// What is new keeps the memory it was made with, and what is gone is passed
// over.
//
// A state is one block of bytes: a version, the compressed memory and a
// checksum. The same memory gives the same bytes. What is damaged, cut short or
// of another version is refused before anything is read into a stage.
package state
