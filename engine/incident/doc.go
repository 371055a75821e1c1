// Package incident turns findings into incidents. One incident is one problem, from its
// onset until it is over.
//
// Detectors report findings at regular times, which are called ticks. The [Tracker] decides which
// findings belong to the same problem, and when the evidence is enough for an incident. It also
// decides when an incident recovers, when it is over, and whether an old incident has come back.
// The input is findings and commands of operators. The output is incidents, as plain data, and an
// [Event] for each change of an incident.
//
// The package detects nothing itself and writes no text. It reads no clock and opens no
// file. Read tracker.go first (from a finding to an incident), then life.go (recovery and
// end) and match.go (which findings belong to the same problem).
package incident
