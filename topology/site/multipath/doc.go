// Package multipath reads which paths stand behind the multipath devices of a
// server: multipath -ll of every version, with and without debug output around
// it, its table of paths, and multipathd's JSON.
package multipath
