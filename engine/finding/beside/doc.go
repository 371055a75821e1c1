// Package beside remembers in which other metrics than latency components are
// suspect.
//
// It accuses nobody: these metrics stand beside a finding, so that a reader sees
// what else is odd about its members.
package beside
