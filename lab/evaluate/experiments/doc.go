// Package experiments holds diagnoses of recorded runs against what was done in
// them.
//
// Runs come from package testbed, or from anybody who writes a truth file in its
// form. Each is diagnosed as limpet diagnose does without any flag but the
// topology: both questions at once, nothing trained. Then it counts as F10
// counts: is every faulty server accused (ITP), is a healthy one (IFP), is the
// fault named (DTP), is a name wrong (DFP). Shares of few runs say little, so
// each has its interval.
//
// It opens nothing itself: whoever asks says how a run is opened.
package experiments
