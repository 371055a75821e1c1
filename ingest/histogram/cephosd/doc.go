// Package cephosd is the form of ceph's perf histogram dump, polled, with the time
// and the OSD before each:
//
//	while sleep 15; do date -u +%FT%TZ; for i in $(ceph osd ls); do echo osd.$i; ceph tell osd.$i perf histogram dump; done; done > osds.txt
//
//	2026-11-15T23:12:20Z
//	osd.3
//	{"osd": {"op_r_latency_out_bytes_histogram": {
//	    "axes": [{"name": "Latency (usec)", "ranges": [{"max": -1}, {"min": 0, "max": 99999}, …, {"min": 53687091200}]},
//	             {"name": "Request size (bytes)", "ranges": [ … ]}],
//	    "values": [[0, 0, …], …]}, …}}
//
// Reads are op_r, writes op_w; sizes are added up. An OSD's time has its own queue
// in it. The axis says usec, and the numbers are nanoseconds: rados bench saw 2.2 ms
// where they are 2.2 million. The first bin is 100 µs wide.
package cephosd
