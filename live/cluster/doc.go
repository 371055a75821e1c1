// Package cluster runs the diagnosis of package watch on several nodes.
//
// Five ideas divide the work:
//
//   - plan (package plan) divides the system into partitions that can be judged apart, and the
//     partitions among the workers.
//   - An ingest node (ingest.go) reads activity files and appends each step of a server to the
//     log of its partition.
//   - A worker (worker.go) takes its share of the partitions, and gives back those that another
//     worker should have. Leases on the bus decide.
//   - A replica (replica.go) runs one task under a lease, in one place only. A task is the engine
//     of a partition (partition_task.go), or the search for causes that partitions have in
//     common (common_task.go). The numbered output of a replica is what keeps an event, and so an
//     alert, from being written twice.
//   - Gather (gather.go) is the view of the whole: every node copies the output of all tasks into
//     a ledger of its own, and merges the views of all partitions.
//
// Activity files come in. A ledger, a history and a watch.Standing go out on each node, for the
// API and the console. The parts of a node communicate by the logs of the bus alone, so that it
// makes no difference whether they run in one process or in three.
//
//	files ── ingest node ── log of rows ── replica of a partition ── log of output ── Gather ── ledger
//	                                            └── blobs: state, view ────────────────┘
//
// On disk a node has ledger.sqlite and history. On the bus there are
//
//	log plan                what the nodes agree on (package plan)
//	log rows-PARTITION      steps of servers, commands and changes of the system
//	log said                the output of all tasks, one subject each
//	blob state.TASK         the last snapshot of a task
//	blob shown.TASK         the view of a task
//	lease worker.NAME       a worker that lives
//	lease machine.TASK      the right to run a task
//
// Read node.go first, then worker.go, replica.go and gather.go.
package cluster
