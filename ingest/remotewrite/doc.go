// Package remotewrite receives and sends Prometheus remote write. HTTP requests
// of version 1.0 and 2.0 come in. Batches with the series that limpet uses go
// out to a [Sink]. [Writer] sends series to a store.
//
// Senders are not trusted: every buffer has a bound that is checked before
// memory is allocated. A request that can never be accepted gets a 4xx status,
// and the sender drops it. A request that may be accepted later gets 503, and
// the sender sends it again. The status 429 is not used, since by default
// Prometheus drops the request after it.
//
// Read handler.go first, then body.go (reading and unpacking) and request.go
// (the protobuf messages).
package remotewrite
