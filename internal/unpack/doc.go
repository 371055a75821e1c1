// Package unpack reads compressed files by their first bytes: gzip, zstd, xz, bzip2. The
// files may be hostile: the length of the unpacked text and the memory of the decoder are
// bounded, and each error has its bound.
package unpack
