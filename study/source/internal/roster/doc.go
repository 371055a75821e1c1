// Package roster reads what stands beside records: the inventory of a fleet's
// drives and the log of what happened to them. Both are small next to the
// records, and are held as a whole.
//
// It stands beside hours, below source.
package roster
