// Package unpack reads compressed files of others, told by their first bytes:
// gzip, zstd, xz, bzip2. It trusts none of them: what a file makes of itself,
// and the memory that it asks for while it does, are bounded, and each bound
// stands in its error.
//
// It stands first in the stream, below sysstat and tabular, and knows neither.
package unpack
