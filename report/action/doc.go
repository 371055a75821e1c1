// Package action decides what limpet would do about an incident so that users no longer
// wait for the slow part, and refuses what could make things worse.
//
// In come a topology, all incidents that are not over, a policy, and the actions of before.
// Out comes one decision for each incident: the commands that would mask the part, or the
// reason for a refusal. The package is pure. It runs no command: live/action does.
//
// Some bounds hold whatever a policy says. They are in caps.go, and an independent checker
// in the test counts them for random topologies, incidents and policies.
//
// Read first: plan.go has the decisions, caps.go the bounds, drivers.go the commands, verify.go the
// verdict on an action.
package action
