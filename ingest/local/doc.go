// Package local makes rows of this machine's own counters, as they are at this moment: a row each
// second, without a file between.
//
// In: the samples of record/agent, which reads the kernel's counters and, where privileges allow,
// the latencies of single requests. Out: an ingest.Source. If a directory is given, the same samples
// are also recorded, so that limpet diagnose of that directory sees what the reader of the rows saw.
package local
