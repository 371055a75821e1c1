// Package local makes rows from the present counters of this machine: one row each second, without a
// file.
//
// The input is the samples of package record/agent. This package reads the counters of the kernel. It
// also measures the latencies of single requests if it has the privileges. The output is an
// ingest.Source. If a directory is given, the same samples are also recorded there. So if a user
// later runs the command `limpet diagnose` on that directory, the diagnosis reads the same samples.
package local
