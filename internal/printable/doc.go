// Package printable makes text safe for terminals and mails. It shows characters that
// cannot be printed by their number, so that a name in a file can neither colour a screen
// nor clear it.
package printable
