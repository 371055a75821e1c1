// Package units cuts the files of a fleet into what is read in one go, shares
// that out to workers, and remembers what a survey found of each: how many
// rows, from when to when, and whether they are in order.
//
// It stands below source, beside hours, and knows no drives.
package units
