// Package action decides how limpet would mask the slow part of an incident, so that users no
// longer wait for the part. It refuses actions that could make things worse.
//
// In come a topology, all incidents that are not over, a policy, and the earlier actions. Out comes
// one decision for each incident: the commands that would mask the part, or the reason for a
// refusal. The package is pure. It runs no command: live/action does.
//
// Some bounds hold with every policy. They are in caps.go. An independent checker in the tests
// verifies them for random topologies, incidents and policies.
//
// Read first: plan.go has the decisions, caps.go the bounds, drivers.go the commands, verify.go the
// verdict on an action.
package action
