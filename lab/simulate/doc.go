// Package simulate holds what all simulators share: the truth about what they
// broke, the stage from which whole files are placed, and the recorder of
// activity files. The simulators themselves stand below it: simulate/arrays,
// simulate/testbench, simulate/fleet.
//
// A simulator writes files in the form of real ones, which the tools of the field read, and
// the truth beside them. No stage of a diagnosis reads the truth: only lab/evaluate compares
// the two.
package simulate
