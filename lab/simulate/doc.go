// Package simulate has the parts that all simulators share: the truth about the faults that they
// simulate, the directory in which files are staged until all are complete, and the recorder of
// activity files. The simulators are in its subpackages: simulate/arrays, simulate/testbench,
// simulate/fleet.
//
// A simulator writes files in the form of real files, which the tools of the field read, and a
// truth file beside them. No step of a diagnosis reads the truth: only lab/evaluate compares the
// two.
package simulate
