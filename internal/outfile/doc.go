// Package outfile writes the files that a user names: pages, tables, models.
//
// A user's file is replaced whole or not at all. Where nothing or a regular
// file stands at the path, a temporary file beside it is written, synced and
// renamed; it takes over mode and owner of the file that it replaces. Links
// are followed: the file that a link names is replaced, and the link stays.
// Links, files and FIFOs that another user has put into a directory such as
// /tmp are refused. Devices, FIFOs and descriptors (/dev/stdout) are opened and
// written through.
// Every error names the path that the user gave. The package knows nothing of
// storage.
package outfile
