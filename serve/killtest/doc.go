// Package killtest kills a whole limpet serve again and again, at any moment, while files
// grow, somebody pushes, an endpoint is pulled and a receiver acknowledges. Then it holds
// what was said and told against a server that was never killed.
//
// It holds tests alone: a few kills in every run of the tests, a thousand by make
// kill-serve.
package killtest
