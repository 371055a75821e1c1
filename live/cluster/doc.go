// Package cluster runs the diagnosis of package watch on several nodes. The nodes share the work,
// and if a node fails, other nodes continue its work.
//
// Five parts share the work:
//
//   - Package plan divides the system into partitions. A separate engine judges each partition.
//     Package plan also divides the partitions among the workers.
//   - An ingest node (ingest.go) reads activity files and appends each step of a server to the
//     log of the server's partition.
//   - A worker (worker.go) runs its share of the partitions. If a partition moves to the share of
//     another worker, the worker hands the partition over. Leases on the bus decide which worker
//     runs a partition.
//   - A replica (replica.go) runs one task under a lease, so that the task runs in one process
//     only. A task is the engine of a partition (partition_task.go), or the search for causes that
//     several partitions share (common_task.go). The output of a task is numbered, so that no
//     event is written twice.
//   - Gather (gather.go) is the view of the whole cluster. Every node copies the output of all
//     tasks into a ledger of its own, and merges the views of all partitions. One of the nodes
//     decides which alerts fire, and for each receiver one node delivers the notifications
//     (alert_log.go). One node carries out actions (action_log.go).
//
// The input is activity files. The output on each node is a ledger, a history and a watch.Result,
// for the API and the console. The five parts communicate only through the bus. So they can run in
// one process or in several.
//
//	files ── ingest node ── log of rows ── replica of a partition ── log of output ── Gather ── ledger
//	                                            └── blobs: state, view ────────────────┘
//
// On disk a node has ledger.sqlite and history. On the bus there are
//
//	log plan                the stages (versions) of the plan (package plan)
//	log rows-PARTITION      steps of servers, commands and changes of the system
//	log said                the output of all tasks; each task has its own subject
//	log alerts              decisions about alerts, deliveries, receivers of nodes, actions
//	blob state.TASK         the last snapshot of a task
//	blob shown.TASK         the view of a task
//	lease worker.NAME       shows that a worker runs
//	lease machine.TASK      the right to run a task
//	lease alerts.decide     the right to decide which alerts fire
//	lease alerts.to-…       the right to deliver to a receiver
//	lease alerts.act        the right to carry out actions
//
// Read node.go first, then worker.go, replica.go, gather.go and alert_log.go.
package cluster
