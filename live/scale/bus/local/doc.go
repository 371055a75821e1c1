// Package local is a bus within one process: the twin of JetStream for a site that one
// process is enough for, and for tests of what must come out the same.
//
// It keeps everything in memory, and nothing of it outlives the process.
package local
