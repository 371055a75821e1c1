// Package torture does to a whole limpet serve what will be done to it. It is killed again
// and again while files grow, somebody pushes, an endpoint is pulled and a receiver
// acknowledges; then what it said and told is held against a server that was never killed.
// It is besieged by connections, slow clients, bombs and nonsense; meanwhile the diagnosis
// has to go on, in bounded memory.
//
// It holds tests alone: a few kills in every run of the tests, a thousand by make
// kill-serve.
package torture
