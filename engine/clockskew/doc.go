// Package clockskew finds servers whose clocks differ by seconds from most other clocks. The
// detectors compare the rows of such a server with rows that other servers recorded at another
// time.
//
// The load of a parallel file system rises and falls on all its servers at the same time. A slow
// server finishes its work later than the others, and a hanging server stops earlier. But only a
// wrong clock shifts all rises and falls of the load by the same number of seconds.
//
// The package takes the same rows as the detectors, and returns a list of [Skew]. It
// reads no clock itself and opens no file. Read clocks.go first, then timing.go for the
// correlation.
package clockskew
