// Package machine is the engine of a diagnosis with all that it is told from row to row:
// rows and words of operators go in, in one order; what becomes of incidents comes out.
//
// A process that stands alone (watch) and each partition of a cluster (scale/partition)
// run this one path. They differ in where their order comes from, a journal on this
// machine's disk or a log that NATS keeps, and in who hears of what is found. The machine
// knows neither: it asks no clock, and whoever gives it the same rows and words in the
// same order is told the same.
//
//	rows, words ── Machine ── diagnose ── windows, events ── whoever embeds it
package machine
