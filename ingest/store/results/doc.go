// Package results writes what limpet finds into a store: the metrics that it shows at
// /metrics, every interval, by remote write. It is for sites whose store cannot reach
// limpet; others scrape it.
//
// What a store does not take is kept for a while and sent again, in order. A series that
// is no more is ended by the mark that Prometheus itself writes, so that an incident that
// is over is over at once.
package results
