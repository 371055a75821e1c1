// Package torture kills and pauses the processes of a cluster. Three servers of NATS, four workers
// and two ingest nodes, each a process, are killed and paused again and again while faults
// are under way. The output of the cluster is then compared, byte by byte, with the output of
// one process without NATS in which nothing was killed.
//
// It has tests only: a few kills in every test run, a hundred with make kill-cluster.
package torture
