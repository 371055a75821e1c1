// Package clockskew finds servers whose clocks differ by seconds from most other clocks.
// The rows of such a server are compared with the wrong rows of the others.
//
// The load of a parallel file system rises and falls on all its servers at once. A slow
// server ends its work late, and a hanging server stops early. Only a wrong clock shifts
// rises and falls by the same time.
//
// The same rows come in that the detectors get. A list of [Skew] goes out. The package
// is pure. Read clocks.go first, then timing.go for the correlation.
package clockskew
