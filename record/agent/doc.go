// Package agent runs the recorder of this machine: the rules of package record over the
// counters of record/kernel, the connections of inetdiag and the latencies of blkprobe,
// with the flags of an operator and the notices for a service manager. The commands
// limpet record and limpet-record are this package and their flags.
//
// In: Options. Out: activity files, and the latest sample at /metrics for Prometheus. A
// counter that cannot be read is logged once and left out; the rest is recorded. Sampling
// waits for nothing that may hang, such as a device's driver or a service manager.
//
// Read agent.go first (Run), then machine.go (a sample) and metrics.go (/metrics).
package agent
