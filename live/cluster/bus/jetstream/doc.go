// Package jetstream is a bus on NATS JetStream: logs are streams, leases are keys in a bucket
// whose values expire, blobs are objects.
//
// NATS replicates, elects leaders and stores. With this package the loss of a NATS server costs
// seconds and nothing else. It repeats a request until its context ends, gives each record an ID
// so that a repeated request appends once, and reads from the leader of a stream so that no
// answer is out of date.
//
// Read connect.go first, then log.go, keys.go and objects.go.
package jetstream
