// Package spool writes readings of machines into activity files, as package
// record does of its own machine: one file a UTC day, named by the machine and
// when it begins,
//
//	fs1-20110509T000005Z.sa
//
// one record a write, half records cut off after a crash, and nothing lost by a
// disk that is full but what cannot wait.
package spool
