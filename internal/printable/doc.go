// Package printable makes text safe for terminals and mails: what cannot be printed is
// shown by its number, so that a name in a file can neither colour a screen nor
// clear it.
//
// It stands last in the stream, before pages and terminals, and knows nothing of
// storage.
package printable
