// Package torture does to a cluster what will be done to it: three servers of NATS, four
// workers and two ingest nodes, each a process, are killed and paused again and again
// while faults are under way. What the cluster has said then is held, byte by byte,
// against one process without NATS in which nothing was killed.
//
// It holds tests alone: a few kills in every run of the tests, a hundred by make
// kill-cluster.
package torture
