// Package metric defines the quantities that limpet measures. A [Metric] has the name that the
// papers and sysstat use, a unit, the direction in which values are worse, and the largest
// difference that is only noise.
//
// The input is readings of kernel counters. The output is values of metrics: [Disk.Since] and
// [DiskWork.Value] turn two readings into latency, load and throughput. All other packages pass
// metrics as values of type Metric. Read metric.go first, then disk.go.
package metric
