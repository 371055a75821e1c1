// Package client is the client of a running server, for the commands limpet incidents, limpet act
// and limpet top. It lists incidents and actions, shows one of them, and sends an operator's
// commands.
//
// Its inputs are the address of a server and a query. Its output is text for a terminal. It prints
// the sentences of the server, so that a terminal, a page and an alert agree. An error says how to
// fix the problem. A password or a token is read from a file, and is sent only over an encrypted
// connection or to this machine.
//
// Read first: client.go sends requests, incidents.go has the commands, text.go prints.
package client
