// Package member opens the members of an array, files and block devices, reads and
// writes them, and keeps the checksums of their chunks.
//
// A file that the file or device became smaller while it was in use fails, reads and writes alike; a path that is
// neither a file nor a block device is refused; a sparse file stays sparse. Read member.go
// first, then checksum_table.go.
package member
