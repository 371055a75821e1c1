// Package clockskew finds servers whose clocks differ by seconds from most other clocks. Detectors
// compare the rows of such a server with rows that other servers recorded at another time. So their
// findings may be wrong.
//
// The load of a parallel file system rises and falls on all its servers at the same time. Suppose
// that the load of one server rises and falls later than the load of the other servers, or earlier,
// and always by the same number of seconds. Then the clock of this server is wrong. No fault has
// this effect: a slow server only finishes its work later than the other servers, and a hanging
// server only stops earlier.
//
// The package takes the same rows as the detectors, and returns a list of [Skew]. It
// reads no clock itself and opens no file. Read clocks.go first, then timing.go for the
// correlation.
package clockskew
