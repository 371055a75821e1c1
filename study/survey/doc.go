// Package survey makes findings from a reduced fleet: all findings of T16 §4, with T16's figures
// next to them, and findings of our own analyses.
//
// In: a [study.Reduction]. Out: [study.Findings], which package study/render prints. Each
// question is an analysis in its own file. An analysis takes one group after the other, counts
// into a sheet, and reports at the end. An occurrence of a slowdown is one slow hour: only with
// this meaning do T16's figures about repetition agree with each other.
//
// Read find.go first (the list of analyses), then sheet.go and runs.go, an analysis.
package survey
