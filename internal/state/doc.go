// Package state writes the memory of a running analysis, and reads it back.
//
// Every stage describes its memory once, in a method that takes a [Codec]. The same method
// writes and reads, so that the two cannot differ. A stage that has memory of each
// component declares it with an [Axis]: on reading, values go to the component of the same
// name, even if its place has changed. A new component keeps its initial memory. The memory
// of a component that no longer exists is skipped.
//
// A state is one block of bytes: a version, the compressed memory and a checksum. The same
// memory gives the same bytes. If a block is damaged, incomplete or of another version, [Decode]
// returns an error before anything is read into a stage. Read codec.go first, then block.go.
package state
