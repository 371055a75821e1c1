// Package fetch reads the series of node_exporter and limpet-record out of a store
// into activity files, one a server and UTC day, as intake writes them of what is
// pushed and pulled.
//
// A server is read in stretches of time that are as long as the store and the memory
// bear. Files are the memory: who was interrupted begins again where they end. What
// cannot be read is said, and the rest is.
package fetch
