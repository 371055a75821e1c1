// Package disk simulates a disk and the kernel's part of it: stretches become
// requests, heads move, the platter turns, processes are served in turn, and
// somebody may read behind the kernel's back. It keeps the counters that the
// kernel would.
//
// What a stretch is for is the caller's.
package disk
