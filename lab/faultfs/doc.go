// Package faultfs is a file system in memory that fails as disks do. Tests of code that writes
// files use it. It is mounted, so a test can run a whole program with its real system calls, and
// the program needs no change.
//
// Faults are injected by rules, one a line, which print as the text that parses them:
//
//	write *.tmp from 3: eio
//	fsync: enospc
//	rename to 1: hang
//	write from 2: short 10
//
// Power can be cut at any moment. After a power cut:
//
//   - Synced data are on the disk.
//   - Each sector of 512 bytes that was not synced is old or new, and so is the length of a file.
//   - The names in a directory have changed in their order, and the last changes may be lost.
//
// POSIX promises no more, so programs must not rely on more.
//
// If no file system can be mounted, the tests are skipped with a message.
package faultfs
