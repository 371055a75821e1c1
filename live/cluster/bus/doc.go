// Package bus is the interface between the nodes of a cluster and the engine that stores
// their common data: logs that are read in order, leases that expire, and blobs.
//
// There are two implementations: package jetstream uses NATS JetStream; [NewLocal] uses the
// memory of one process, for tests. Both pass the same tests (package bustest).
//
// The log decides who may write. Put appends a record only if the last record on its subject is
// the record that the writer expects. If each of two writers believes that it is the only writer,
// the second one gets [ErrConflict]. No clock is involved.
//
// Read bus.go first.
package bus
