// Package clockskew finds servers whose clocks differ by seconds from most other clocks. Detectors
// compare the rows of such a server with rows that other servers recorded at another time, and may
// therefore be wrong.
//
// The load of a parallel file system rises and falls on all its servers at the same time. So if all
// rises and falls of a server's load come the same number of seconds earlier or later than those of
// the other servers, its clock is wrong. No fault looks like this: a slow server only finishes its
// work later than the other servers, and a hanging server only stops earlier.
//
// The package takes the same rows as the detectors, and returns a list of [Skew]. It
// reads no clock itself and opens no file. Read clocks.go first, then timing.go for the
// correlation.
package clockskew
