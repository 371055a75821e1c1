// Package clockskew finds servers whose clocks are seconds apart from those of most
// others, so that their rows are compared with what the others did at another
// time.
//
// The load of a parallel file system comes and goes on all its servers at once.
// A server that is slow ends late, and one that hangs stops first, but only a
// clock that is off moves rises and falls alike.
//
// In the stream it stands beside the detectors: it takes the same rows, judges
// nobody, and is as pure.
package clockskew
