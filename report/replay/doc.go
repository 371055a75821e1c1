// Package replay computes what policies would have done in a recorded history.
//
// In come the rows of a recording in order of time, and policies. The engine diagnoses the rows as
// always. Once a minute of the data the planner of report/action decides, for each policy, with the
// incidents that are open then and the actions of this replay. Out comes a [Result]: each action, why
// it began and ended, the refusals, what the actions would have saved, and what harm they would have
// done. No command runs. The package is pure.
//
// A recording does not change because of an action that nobody carried out. So the latency after an
// action is an estimate: the requests that the action keeps away from the part take as long as those
// of its peers do at the same time. The verdict on an action is that of report/action, on these
// estimates.
//
// Read first: replay.go has the loop, estimate.go what a request would have taken elsewhere, result.go
// what comes out.
package replay
