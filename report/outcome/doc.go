// Package outcome decides the exit status of a diagnosis and which of its incidents are
// printed: only those that need attention, only those that changed since the last run, or
// only those of some components.
//
// In come the windows and the summary of a diagnosis, beside the writers of reports. Out
// come an [Outcome], which is the exit status, and a [Choice], by which the writers leave
// incidents out. The incidents of a run are kept in a small text file for the next run, with
// a version and a checksum.
//
// Read first: outcome.go has the exit status, choice.go the choice, memory.go the file.
package outcome
