// Package replay computes which actions policies would have begun in a recorded history.
//
// In come the rows of a recording in order of time, and policies. The engine diagnoses the rows as
// usual. Once a minute of the data, the planner of report/action decides for each policy, from the
// open incidents and the earlier actions of this replay. Out comes a [Result]: each action, why it
// began and ended, the refusals, and the estimated benefit and harm of the actions. No command
// runs. The package is pure.
//
// The recording does not contain the effect of an action, because nobody carried it out. So the
// latency after an action is an estimate: the requests that the action keeps away from the part
// take as long as those of its peers at the same time. report/action makes the verdict on an action
// from these estimates.
//
// Read first: replay.go has the loop, estimate.go the estimate of latencies, result.go the result.
package replay
