// Package store says what is asked of a site's own store of metrics
// (Prometheus, VictoriaMetrics, Mimir, Thanos, Cortex), and how an answer comes:
// raw samples, as they were scraped. Counters are differenced by limpet.
// rate() extrapolates, and hides what was missing.
//
//	store/remoteread   remote read, with streamed chunks     Prometheus, Mimir, Cortex
//	store/vmexport     /api/v1/export                        VictoriaMetrics
//	store/rawquery     /api/v1/query of a range, in steps    whatever answers PromQL
//	store/connect      which of them a store understands, credentials, patience
//	store/fetch        series of node_exporter, as activity files
//	store/described    series of others, as tables
//	store/results      what limpet finds, written back
//
// It stands ahead of the stream, beside intake: what is read of a store becomes
// files, and everything behind them is one path.
package store
