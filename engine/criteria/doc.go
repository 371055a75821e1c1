// Package criteria holds the bounds that several detectors share: how large an effect must be, how
// long a time must be, and how large a share of something must be.
//
// A detector gets these bounds from the engine, and has options of its own only for bounds that
// concern nothing else. So one value has one meaning everywhere, and a changed value changes all
// detectors alike. docs/method.md gives the reason for each value.
//
// Four of the bounds are meant for operators: FalseIncidentsPerYear, SmallestTimes, CostSeconds and
// OverSeconds.
//
// Some numbers are definitions and no bounds. Most members of a group are more than half of the
// members, and a problem of many components has at least two. The detectors have such numbers as
// constants.
package criteria
