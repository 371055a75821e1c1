// Package jetstream is a bus on NATS JetStream: logs are streams, leases are keys of a
// bucket whose values expire, blobs are objects.
//
// NATS does what is hard: replication, elections, storage. This package asks for it in
// a way that a lost server costs seconds and nothing else: it asks again until its
// context ends, a record has an ID so that asking twice appends once, and reads go to
// the leader of a stream, so that nobody hears what is out of date.
package jetstream
