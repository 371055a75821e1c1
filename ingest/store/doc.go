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
// scanner.go reads the JSON of answers. It is here because the standard
// decoders are slower: for 200 series of 5,000 samples (BenchmarkMatrix)
// json.Decoder takes 2.4 times as long. The jsontext package of
// encoding/json/v2 takes 1.5 times as long, and Go has it only with
// GOEXPERIMENT=jsonv2.
//
// Read store.go first, then connect.go and fetch.go.
package store
