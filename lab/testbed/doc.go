// Package testbed draws experiments on a real parallel file system, and keeps
// the truth about them.
//
// A simulator is as unkind as its author. Here the file system, the kernel, the
// page cache and TCP are real; only the limits of disks and links are set, and
// only the faults are known. Everything about a run is drawn from a seed:
// hardware, volume, workload, fault, server, strength and time. So nobody
// chooses runs that suit a diagnosis, and anybody can draw the same ones again.
//
// The package is pure and runs anywhere. Package lab/testbed/gluster runs the
// experiments on Linux as root; package lab/evaluate compares diagnoses with the truth
// that they leave. Read draw.go first.
package testbed
