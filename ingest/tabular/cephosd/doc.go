// Package cephosd is the form of ceph osd perf, polled: again and again a line
// with the time, then what ceph prints, as text or as JSON (-f json,
// -f json-pretty).
//
//	while sleep 15; do date -u +%FT%TZ; ceph osd perf -f json; done > perf.txt
//
//	2026-11-15T23:12:20Z
//	osd  commit_latency(ms)  apply_latency(ms)
//	  2                   4                  4
//	  0                   3                  3
//
// JSON of recent versions has nanoseconds, which tell fast drives apart.
package cephosd
