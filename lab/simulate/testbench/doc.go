// Package testbench simulates F10's clusters: clients, file servers with one
// disk each and a switch between them, running one of five benchmarks while
// one of six faults hits a server (F10 §5–§9).
//
// It is a queueing model, not curves drawn by hand. Clients wait for the
// slowest of the servers that a request is striped over; disks position,
// transfer and serve their queue; TCP flows share ports, overflow the
// switch's buffers, halve their windows and time out. What F10 observed of
// real clusters (§6.1, §12) is not written down anywhere in here: it has to
// follow, and tests say that it does.
package testbench
