// Package dayfile writes the activity file of one UTC day, for the recorder of
// a machine and for readings that other programs send.
//
// Records come in. A file that sysstat reads goes out, named by the host and by
// the second in which it begins:
//
//	fs1-20110509T000005Z.sa        readable at any time
//	.fs1-20110509T000005Z.sa.part  its header is being written
//
// A File survives crashes and full disks:
//   - Create renames a file to its name after its header is whole.
//   - Continue cuts off the half record that a crash left at the end.
//   - Write adds all records of a sample or none of them.
//
// The caller opens files, and so decides about owners, symbolic links and
// locks. Read file.go first, then sync.go and name.go.
package dayfile
