// Package metric defines the quantities that limpet measures. A [Metric] has the name
// that the papers and sysstat use, a unit, the direction that is worse, and the
// difference that is noise.
//
// Readings of kernel counters come in, and values of metrics go out: [Disk.Since] and
// [DiskWork.Value] turn two readings into latency, load and throughput. All later stages
// pass metrics as values of type Metric. Read metric.go first, then disk.go.
package metric
