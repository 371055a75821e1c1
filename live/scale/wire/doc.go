// Package wire is the steps of servers as they travel, and the rows that they make.
//
// An ingest node sends a step of a server as one message, as soon as it has it. Whoever
// judges a partition joins the steps of its servers into rows again. Which row comes out
// when depends on the log alone, on the order of its messages and the times at which it
// took them, never on the clock of who reads: whoever reads the same log makes the same
// rows, today or after a crash.
//
//	rows ── Cut ── messages ── a log ── Join ── rows
package wire
