// Package torture tests a cluster while its processes are killed and paused. Three NATS servers,
// four workers, two ingest nodes and three nodes that send notifications run, each in a separate
// process. The tests kill and pause these processes again and again, while the measured system has
// faults. Then they compare the output of the cluster, byte by byte, with the output of one process
// without NATS that was never killed. A webhook counts the notifications. The tests also kill a
// node after it has sent a notification, and before it has stored the acknowledgement.
//
// The package has only tests. An ordinary test run kills nothing: the leases last two seconds, and
// on a machine that is busy with other tests they would expire without a kill. The command "make
// kill-cluster" kills a hundred processes.
package torture
