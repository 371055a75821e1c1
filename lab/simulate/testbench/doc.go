// Package testbench simulates F10's clusters: clients, file servers with one disk each and a switch
// between them, running one of five benchmarks while one of six faults hits a server (F10 §5–§9).
//
// It is a queueing model. Clients wait for the slowest of the servers that a request is striped
// over; disks position, transfer and serve their queue; TCP flows share ports, overflow the
// switch's buffers, halve their windows and time out. The observations of F10 on real clusters
// (§6.1, §12) are not part of the model: they must result from it, and tests check that they do.
package testbench
