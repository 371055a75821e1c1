// Package printable makes text safe for terminals and mails. It replaces characters that cannot be
// printed by their numbers, so that a name in a file can neither colour a screen nor clear it.
package printable
