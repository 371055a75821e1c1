// Package pause finds servers that pause again and again. A server pauses if it has work and does
// none of it for a second or more.
//
// The input is rows with values in table.ServerGauges. Only files of limpet-record contain these
// values. The output is findings of class finding.Pause, at the end of each tick. A finding
// contains the number of pauses in the last minutes, their lengths, and the causes of the waits.
//
// A healthy server pauses now and then, for example when memory is compacted or a log is rotated.
// So one pause is not a finding. If more than half of the servers pause at the same time, these
// pauses are not counted, because they have one cause, for example the host of their virtual
// machines. The detector compares the number of all other pauses with the number that is expected
// of a healthy server. The expected number is the usual number, or the median of the peers in the
// same minutes if this median is larger. The evidence is −ln p, where p is the probability of at
// least as many pauses by chance (Poisson distribution). The false-alarm rates of package
// engine/criteria determine how much evidence is needed, as in other detectors.
//
// Read detector.go.
package pause
