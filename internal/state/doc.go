// Package state writes the memory of a running analysis, and reads it back.
//
// Every stage describes its memory once, in a method that takes a [Codec]. The same method
// writes and reads, so that the two cannot differ. A stage that has memory of each
// component declares it with an [Axis]: on reading, values go to the component of the same
// name, wherever it stands now. A new component keeps the memory that it was made with,
// and the memory of a component that is gone is skipped.
//
// A state is one block of bytes: a version, the compressed memory and a checksum. The same
// memory gives the same bytes. A block that is damaged, cut short or of another version is
// refused before anything is read into a stage. Read codec.go first, then block.go.
package state
