// Package criteria holds the bounds that several detectors share. A bound is a number at which a
// verdict changes, such as the smallest slowness that is reported.
//
// A detector gets these bounds from the engine. It has options of its own only for bounds that no
// other detector uses. So a bound has the same meaning in all detectors, and a change of the bound
// acts on all of them. docs/method.md gives the reason for each value.
//
// Four of the bounds are meant for operators: FalseIncidentsPerYear, SmallestTimes, CostSeconds and
// OverSeconds.
//
// Some numbers are definitions and not bounds. For example, most members of a group means more than
// half of the members, and a problem of many components has at least two components. Such numbers
// are constants in the code of the detectors.
package criteria
