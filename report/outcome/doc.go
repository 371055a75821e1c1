// Package outcome says what of a diagnosis deserves an operator's notice: the
// outcome as an exit code, only what is wrong, only what is new since the last
// run, only what concerns some components.
//
// It finds nothing and shows nothing: it hears a diagnosis beside the reports and
// tells them which incidents to show. What it remembers from run to run is a small
// file that people can read, with a version and a checksum.
package outcome
