// Package bus is the interface between the nodes of a cluster and the engine that stores
// their common data: logs that are read in order, leases that expire, and blobs.
//
// There are two implementations: package jetstream is NATS JetStream, [NewLocal] is the memory
// of one process, for tests. Both pass the same tests (package bustest).
//
// The log decides who may write. Put appends a record only if the last record on its subject
// is the one that the writer expects. If two writers both believe to be the only one, the
// second gets [ErrConflict]. No clock is involved.
//
// Read bus.go first.
package bus
