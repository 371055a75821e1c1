// Package results writes limpet's own metrics into a store by remote write,
// once an interval. It is for sites whose store cannot scrape limpet. A
// prometheus.Gatherer comes in; remote write requests go out.
//
// Samples that the store does not accept are kept for a while and sent again,
// in order. A series that ends gets Prometheus's staleness marker, so that an
// incident that is over disappears at once. Read results.go.
package results
