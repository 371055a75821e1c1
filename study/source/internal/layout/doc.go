// Package layout says how the files of a fleet are laid out: which there are,
// which of their columns is what, and how names are made of them. People write
// it as YAML, and every mistake is named with its line.
//
// It stands beside tabular, below source, and reads no records.
package layout
