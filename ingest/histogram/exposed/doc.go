// Package exposed is the form of histograms in Prometheus's text: those of
// ebpf_exporter's biolatency, of files that node_exporter serves (textfile), and of
// limpet record itself, polled with a line of time before each.
//
//	while sleep 15; do date -u +%FT%TZ; curl -s localhost:9435/metrics; done > fs1.prom
//
//	2026-11-15T23:12:20Z
//	# TYPE ebpf_exporter_bio_latency_seconds histogram
//	ebpf_exporter_bio_latency_seconds_bucket{device="sda",operation="read",le="0.000256"} 1204
//	ebpf_exporter_bio_latency_seconds_bucket{device="sda",operation="read",le="+Inf"} 1311
//
// A histogram is of a drive where it has a label device, disk or dev, and of time
// where its name has latency, seconds, duration or time in it. Its unit is that of
// its name, or else microseconds where it has none. Of a recorder's own the time in
// the device counts. The file is named by its server.
package exposed
