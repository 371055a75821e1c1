// Package netdata is the form of Netdata's disk latencies (its eBPF plugin) as its
// API exports them to Prometheus, polled:
//
//	while sleep 15; do curl -s 'localhost:19999/api/v1/allmetrics?format=prometheus&filter=disk_latency_io.*'; done > fs1.prom
//
//	netdata_disk_latency_io_calls_persec_average{chart="disk_latency_io.sda",dimension="64us->128us",family="sda"} 3.2 1794784343000
//
// Each line is requests a second of one range of times, over the seconds since the
// poll before. Netdata does not tell reads from writes: all are taken for reads.
// Rates are averages, so that single requests are known only about. The file is
// named by its server.
package netdata
