// Package remotewrite takes Prometheus remote write requests, of version 1.0 and
// 2.0, and hands the series that matter to a Sink.
//
// Senders are not trusted: what they may make the receiver hold is bounded
// before it is held. Requests that can never be taken are refused with 4xx,
// which senders drop; those that may be taken later with 503, which they send
// again. 429 is never answered: Prometheus drops what it is answered to unless
// it is told otherwise.
package remotewrite
