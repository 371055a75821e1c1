// Package results writes limpet's own metrics into a store by remote write, once in every interval.
// It is for sites whose store cannot scrape limpet. The input is a prometheus.Gatherer. The output
// is requests of remote write.
//
// While the store does not accept samples, the samples of the last 240 intervals are kept. They are
// sent in order as soon as the store accepts samples. A series that ends gets Prometheus's
// staleness marker. So when an incident is over, its series end in the store immediately. Read
// results.go.
package results
