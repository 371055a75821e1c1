// Package packaging builds the packages and has only a test of its own: the unit
// is what systemd accepts, is closed to what the recorder does not need, and open
// to what it samples.
package packaging
