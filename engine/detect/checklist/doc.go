// Package checklist names the resource of a server that is at fault, as F10 does
// (§10.2). It walks through the metrics in which the server differs from its peers, in a
// fixed order, and takes the first kind of fault that fits (function check in kinds.go).
//
// Windows of package persistence come in, findings go out. The package follows the paper
// to the letter: a server is a suspect in a metric if any of its components was a
// suspect in that metric at any time of a run. A run of the paper lasts minutes. Here a
// run has no end, and a metric counts for Options.ForgetSeconds after it last was
// suspect. The anomalies and their false-alarm rate are those of package persistence.
//
// Read kinds.go first, then detector.go and findings.go.
package checklist
