// Package survey makes findings of a reduced fleet: all of T16 §4, with T16's
// figures beside them, and what study/survey adds.
//
// It is the end of the study's stream; what renders findings comes after it.
// Each question is an analysis of its own, which looks at one group after the
// other, counts into a tally.Sheet, and reports at the end.
//
// An occurrence of slowdown is a slow hour: T16's figures of repetition fit
// together only so.
package survey
