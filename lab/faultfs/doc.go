// Package faultfs is a file system in memory that fails as disks do, for tests
// of all that writes. It is mounted, so that a program under test is the whole
// program, down to its system calls, and knows of nothing.
//
// Faults are injected by rules, one a line, which print as the text that
// parses them:
//
//	write *.tmp from 3: eio
//	fsync: enospc
//	rename to 1: hang
//	write from 2: short 10
//
// Power can be cut at any moment. What was synced is there afterwards. Of what
// was not, each sector of 512 bytes and each file's length may be old or new;
// of names, those of a directory change in their order, and the last changes
// may be lost. No more than that is promised by POSIX, so nothing else may be
// relied on.
//
// Only tests use it. Where nothing can be mounted, they are skipped by name.
package faultfs
