// Package period parses a period that a user has written, such as "since 2h" and "until yesterday".
// It also finds out which files have no data of the period, so that they can be skipped. The input
// is the beginning and the end of the period as texts, and the present time. The output is a
// [Period].
//
// A file is skipped only if its name or its modification time proves that it has no data of the
// period. A tolerance of a day covers time zones and wrong clocks. The package opens no file and
// reads no clock. Read parse.go first, then files.go.
package period
