// Package store reads raw samples from a site's own store of metrics:
// Prometheus, VictoriaMetrics, Mimir, Thanos or Cortex. The address of a store
// and a period come in. Samples go out as they were scraped, as activity files
// ([Activity]) or as tables ([Tables]). limpet differences counters itself:
// rate() extrapolates, and hides missing samples.
//
//	connect.go         which protocol a store has, credentials, retries
//	remoteread.go      remote read, with streamed chunks     Prometheus, Mimir, Cortex
//	vmexport.go        /api/v1/export                        VictoriaMetrics
//	rawquery.go        /api/v1/query of a range, in spans    every store with PromQL
//	fetch.go           series of node_exporter, as activity files
//	describe.go        series of other exporters, as tables
//	store/results      limpet's own metrics, written into a store
//
// Read store.go first, then connect.go and fetch.go.
package store
