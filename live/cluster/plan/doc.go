// Package plan makes the plan on which all nodes of a cluster agree: the system, the schema of
// rows, and the partitions of the system. It also divides the partitions among the workers.
//
// The input is a topology and the settings of a node ([Terms]). The output is a [Stage]: the plan
// of one system with its partitions. The first node that reads data writes the plan to the bus (the
// storage that all nodes share). Every other node compares its own settings with the plan. A node
// refuses to start if its settings differ. So all nodes use the same indexes for components.
//
// When the system changes, the plan gets a further stage. All stages are kept, so that data of an
// earlier stage can still be read.
//
//	rows ── Cut ── steps of servers ── a log for each partition ── Join ── rows of the partition
//
// The bus has a log with the name plan. This log has one record for each stage. The bus also has one
// blob for each system.
//
// Read plan.go and stage.go first, then parts.go and division.go (which components form a partition),
// assign.go (which worker gets which partition) and join.go (how steps become rows).
package plan
