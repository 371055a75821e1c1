// Package outcome decides the exit status of a diagnosis and which of its incidents are printed:
// only those that need attention, only those that changed since the last run, or only those of some
// components.
//
// In come the windows and the summary of a diagnosis, which the writers of reports receive too. Out
// come an [Outcome], which is the exit status, and a [Choice], which tells the writers which
// incidents to leave out. The incidents of a run are kept in a small text file for the next run,
// with a version and a checksum.
//
// Read first: outcome.go has the exit status, choice.go the choice, memory.go the file.
package outcome
