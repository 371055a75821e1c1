// Package bus is what the nodes of a cluster need of an engine that keeps things for
// them: logs that are read in order, leases that end by themselves, and blobs.
//
// Two engines stand behind it: scale/bus/jetstream is NATS JetStream, scale/bus/local is
// this process alone. Whoever uses a bus cannot tell which it is, and the tests of both
// are the same (scale/bus/bustest).
//
// The stance: a log decides. A record is appended only if the one before it on its
// subject is the one that its writer knows of, so that of two writers who both think
// that they are the only one, the second is told; no clock is trusted for that.
package bus
