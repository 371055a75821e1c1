// Package torture tests a cluster while its processes are killed and paused. The cluster has three
// NATS servers, four workers, two ingest nodes and three nodes that send notifications. Each of them
// is a separate process. The tests kill and pause these processes again and again, while the measured
// system has faults. Then the tests compare the output of the cluster, byte by byte, with the output
// of a single process without NATS. This single process is never killed. A webhook counts the
// notifications. The tests also kill a node after it has sent a notification, and before it has
// stored the acknowledgement.
//
// The package has only tests. An ordinary test run kills nothing, because the leases last only two
// seconds. On a machine that is busy with other tests, leases would expire even without a kill. The
// command "make kill-cluster" kills a hundred processes.
package torture
