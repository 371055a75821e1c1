// Package testbed draws experiments on real storage systems, and keeps the truth about them.
//
// A simulator has only the difficulties that its author thought of. Here the storage system, the
// kernel, the page cache and TCP are real; only the limits of disks and links are set, and only the
// faults are known. Everything about a run is drawn from a seed: hardware, volume, workload, fault,
// server, strength and time. So nobody chooses runs that suit a diagnosis, and anybody can draw the
// same runs again.
//
// The package is pure and runs anywhere. Package lab/testbed/bench runs the experiments on Linux as
// root, with the systems of lab/testbed/gluster and lab/testbed/ceph. Package lab/evaluate compares
// diagnoses with the truth about the experiments. Read draw.go first.
package testbed
