// Package lab builds test systems from a description, real and simulated, and counts how well
// limpet diagnoses them.
//
// In: a seed and the description of a system. Out: activity files, tables and rows in the formats
// of real systems, the truth about the faults in them, and tables of how often a diagnosis was
// right. It may import internal, record, topology, engine and report; only commands and tests
// import it.
//
//   - lab/simulate: simulators of arrays, of F10's test bench and of a fleet of drives
//   - lab/testbed: experiments on a real GlusterFS and a real Ceph, as root on Linux
//   - lab/faultfs: a file system that fails as disks do, for tests
//   - lab/evaluate: diagnoses compared with the truth
//
// Read first: lab/simulate/truth.go (the truth about a fault), lab/simulate/arrays/scenario.go
// (a system and its faults), lab/evaluate/score_incidents.go (what counts as right).
package lab
