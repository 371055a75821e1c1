// Package bus is the interface between the nodes of a cluster and the storage of the data that all
// nodes share. The data are logs that are read in order, leases that expire, and blobs (large
// values with names).
//
// There are two implementations. Package jetstream uses NATS JetStream. [NewLocal] uses the memory
// of one process, for tests. Both pass the same tests (package bustest).
//
// The log decides which writer may write. Each record has a subject, which groups the records of a
// log. Log.Put appends a record only if the last record with the same subject is the record that
// the writer expects. If two writers expect the same last record, the first Put succeeds, and the
// second Put returns [ErrConflict]. This rule needs no clock.
//
// Read bus.go first.
package bus
