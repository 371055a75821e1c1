// Package period reads a period as users write it ("since 2 hours ago", "until
// yesterday", one day), and decides which files lie outside of it. Texts and
// the present time come in. A [Period] goes out.
//
// A file is skipped only where its name or its modification time proves that it
// has no data of the period. A day of tolerance covers time zones and wrong
// clocks. The package opens no file and reads no clock. Read parse.go first,
// then files.go.
package period
