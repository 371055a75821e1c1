// Package member has what an array lies on: files and block devices, and the
// buffers that are read from them and written to them.
//
// A member says what became of it. A file that was cut while it was in use
// fails, reads and writes alike; what is neither a file nor a block device is
// refused; a sparse file stays sparse.
package member
