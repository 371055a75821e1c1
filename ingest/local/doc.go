// Package local makes rows from the present counters of this machine: one row each second, without a
// file.
//
// The input is the samples of package record/agent, which reads the counters of the kernel and, if
// its privileges allow it, the latencies of single requests. The output is an ingest.Source. If a
// directory is given, the same samples are also recorded there. So if a user later runs the command
// `limpet diagnose` on that directory, the diagnosis reads the same samples.
package local
