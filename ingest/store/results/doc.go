// Package results writes limpet's own metrics into a store by remote write, once in every
// interval. It is for sites whose store cannot scrape limpet. A prometheus.Gatherer comes
// in, and requests of remote write go out.
//
// While the store does not accept samples, they are kept for some time and sent again,
// in order. A series that ends gets Prometheus's staleness marker. So an incident that is
// over disappears from the store at once. Read results.go.
package results
