// Package stream sends numbered messages to many clients as they happen, as
// server-sent events that any browser reads.
//
// The stance: who publishes never waits. A client that reads too slowly is dropped
// once its queue is full; it comes back with the number of the last message that it
// has, and is sent what it missed. So a client may be cut off, and never misses or
// doubles a message.
//
// It knows nothing of storage.
package stream
