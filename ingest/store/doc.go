// Package store reads raw samples from a site's own store of metrics: Prometheus, VictoriaMetrics,
// Mimir, Thanos or Cortex. The input is the address of a store and a period. The output is the
// samples as they were scraped, in activity files ([Activity]) or in tables ([Tables]). limpet
// computes the differences of counters itself. The function `rate` of PromQL is not used, because
// it extrapolates and hides missing samples.
//
//	connect.go         the protocol of a store, credentials, retries
//	remoteread.go      remote read, with streamed chunks     Prometheus, Mimir, Cortex
//	vmexport.go        /api/v1/export                        VictoriaMetrics
//	rawquery.go        /api/v1/query with a range selector   every store with PromQL
//	fetch.go           series of node_exporter, as activity files
//	describe.go        series of other exporters, as tables
//	store/results      limpet's own metrics, written into a store
//
// scanner.go reads the JSON of answers, because the standard decoders are slower. For 200 series of
// 5,000 samples (BenchmarkMatrix), json.Decoder takes 2.4 times as long as scanner.go. The package
// encoding/json/jsontext takes 1.5 times as long as scanner.go, and needs GOEXPERIMENT=jsonv2.
//
// Read store.go first, then connect.go and fetch.go.
package store
