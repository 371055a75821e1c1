// Package unpack recognises compressed files by their first bytes, and reads them: gzip, zstd,
// xz, bzip2. The files may be hostile, so the length of the unpacked data and the memory of the
// decoder are limited. Errors name the limit.
package unpack
