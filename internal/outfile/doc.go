// Package outfile writes the files that a user names: pages, tables, models.
//
// A file is replaced completely or not at all:
//   - If the path names a regular file or nothing, a temporary file is written
//     in the same directory, synced and renamed. It gets the mode and the
//     owner of the file that it replaces.
//   - Links are followed: the file that a link names is replaced, and the link
//     stays.
//   - Links, files and FIFOs that another user has put into a directory such
//     as /tmp are refused.
//   - Devices, FIFOs and descriptors (/dev/stdout) are opened and written
//     directly.
//
// Every error names the path that the user gave. The package knows nothing of
// storage.
package outfile
