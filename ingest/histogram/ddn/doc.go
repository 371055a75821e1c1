// Package ddn is the form of the delays that a DDN S2A controller tells by its API,
// polled, with the time before each. The fields of an answer stand between at signs:
//
//	2026-11-15T23:12:20Z
//	0@106@time_interval_in_seconds@0.1@host_reads@696778@host_writes@171313@disk_reads@96732@disk_writes@2717@time_interval_in_seconds@0.2@host_reads@128@…@$
//
// The counts are of requests since the controller began whose delay is up to that
// interval and longer than the one before. What hosts have waited for counts. The
// file is named by its controller, whose peers are the other controllers. Intervals
// are 0.1 s wide: of tails those show that are longer.
package ddn
