// Package dump prints what limpet's recorder writes into activity files beyond what
// sysstat knows: connections, latencies of requests, and the inventory of a machine.
//
// It prints lines as sadf -d does, with semicolons between the cells, so that the same
// scripts read both. What sysstat knows itself is printed by sysstat/sadf.
package dump
