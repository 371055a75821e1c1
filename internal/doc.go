// Package internal holds packages that know nothing of storage: files, numbers, flags,
// texts, saved state. Any room may import them, and they import no room.
//
// Values and bytes go in and come out; only outfile, paths, sqlfile, unpack, bounded and
// yamlfile open files, and only listener and post use the network.
//
//   - numbers: bounds (options and their bounds), bounded (flags), quantile, workers
//   - files: outfile (written whole or not at all), paths, unpack, sqlfile, yamlfile
//   - network: listener, post
//   - text: english, printable, devname
//   - state: saved and restored memory of a stage; formtest checks that its format is unchanged
//   - program: version, checkout (tests find files of the repository), phrases (all texts that
//     limpet can print, as one page)
//
// Read first: internal/bounds/bounds.go, internal/outfile/outfile.go,
// internal/state/codec.go.
package internal
