// Package activity is the source of rows that are made of activity files, of
// any number of servers and days. It finds the files of each machine, takes a
// census of what they hold, and folds counters onto steps; each machine fills
// its own columns of a batch of rows, on all cores.
//
// [Open] reads files that are whole, [Follow] files that grow. Both fold the
// same records with the same machines: followed to their end, files give the
// rows that Open makes of them.
//
// In the stream it stands between sysstat, which reads the files, and whoever
// takes rows from a [collect.Source].
package activity
