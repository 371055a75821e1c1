// Package period reads stretches of time as people name them (since 2 hours ago,
// until yesterday, of one day), and tells from the names of files and from when
// they were last written which of them lie outside.
//
// A file is passed over only if that is certain: its name says that it begins
// after the period, or nothing was written to it since before the period began.
// A day of doubt is allowed for zones and clocks. The package opens no file, and
// asks no clock: what time it is comes from its caller.
package period
