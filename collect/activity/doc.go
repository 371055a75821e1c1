// Package activity is the source of rows that are made of activity files, of
// any number of servers and days. It finds the files of each machine, takes a
// census of what they hold, and folds counters onto steps; each machine fills
// its own columns of a batch of rows, on all cores.
//
// In the stream it stands between sysstat, which reads the files, and whoever
// takes rows from a [collect.Source].
package activity
