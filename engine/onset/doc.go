// Package onset finds when a component began to differ from its peers.
//
// A detector knows that a component is odd some minutes after it became so. A
// [History] keeps the steps of these minutes and of as many before, and looks
// for the step from which on the component was farther from its peers: the
// change point of the logarithm of its values against theirs, or of the share of
// its segments that are lost. Where no step stands out it says so. A [Shown] is
// what a metric of a server has come to, window by window, with its onset.
//
// In the stream it stands beside detect: the detectors of finding/symptom and
// finding/checklist push the same rows into it that they judge. It is pure.
package onset
