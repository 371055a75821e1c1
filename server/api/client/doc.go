// Package client asks a running server for limpet incidents: it lists incidents, shows one,
// and sends feedback of an operator.
//
// In come the address of a server and a query. Out comes text for a terminal. It prints the
// sentences of the server, so that a terminal, a page and an alert agree. An error comes
// with its cure. A password or a token is read from a file, and is sent only over an
// encrypted connection or to this machine.
//
// Read first: client.go sends requests, incidents.go has the commands, text.go prints.
package client
