// Package jetstream implements package bus with NATS JetStream. Logs are streams (NATS's lists of
// messages). Leases are keys in a bucket (NATS's store of values by key). The values in this bucket
// expire. Blobs are objects in another bucket.
//
// NATS replicates and stores the data, and elects leaders. If a NATS server fails, requests are
// delayed by some seconds, and no data are lost. The package repeats a failed request until the
// context of the request ends. The ID of a record prevents a repeated request from appending the
// record twice. The package reads from the leader of a stream, so that no answer is out of date.
//
// Read connect.go first, then log.go, keys.go and objects.go.
package jetstream
