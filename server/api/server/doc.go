// Package server is an HTTP server that outlives hostile clients: it bounds
// connections, headers and time, and ends within seconds.
//
// Bodies are bounded by whoever reads them. It knows nothing of storage.
package server
