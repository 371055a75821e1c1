// Package member opens the members of an array, files and block devices, reads and
// writes them, and keeps the checksums of their chunks.
//
// If a file becomes smaller while it is in use, reads and writes of it fail. A path that is neither
// a file nor a block device is refused. A sparse file stays sparse. Read member.go first, then
// checksum_table.go.
package member
