// Package simulate holds what all simulators share: the truth about what they
// broke, the stage from which whole files are placed, and the recorder of
// activity files. The simulators themselves stand below it: simulate/arrays,
// simulate/testbench, simulate/fleet.
//
// A simulator's output is in form the real thing, files that the tools of the
// field read, and beside it lies the truth, which no stage of a diagnosis ever
// sees: only an evaluation holds the two against each other.
package simulate
