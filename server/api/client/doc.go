// Package client asks a running server from the command line: it lists incidents,
// shows one, and passes on what an operator says.
//
// The stance: what it prints are the server's own sentences, so that a terminal, a
// page and an alert say the same. Whatever goes wrong is told with its cure. A
// password or a token is read from a file, and sent only over an encrypted
// connection or within this machine.
package client
