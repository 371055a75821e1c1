// Package descriptor asks the kernel for what it does with an open file, while another
// goroutine may close it: locks above all, which go with the file's closing or with the
// end of the process.
package descriptor
