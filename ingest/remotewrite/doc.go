// Package remotewrite receives and sends samples with the remote write protocol
// of Prometheus. A [Handler] receives HTTP requests of version 1.0 and 2.0. It
// passes batches with the series that limpet uses to a [Sink]. A [Writer] sends
// series to a store.
//
// Senders are not trusted, so every buffer has a bound that is checked before memory is allocated. A
// request that can never be accepted gets a 4xx status, and the sender drops it. A request that may be
// accepted later gets 503, and the sender sends it again. The status 429 is not used, since by default
// Prometheus drops a request that gets 429.
//
// Read handler.go first, then body.go (reading and decompressing) and
// request.go (the protobuf messages).
package remotewrite
