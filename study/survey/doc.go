// Package survey makes findings of a reduced fleet: all of T16 §4, with T16's figures
// beside them, and analyses of our own.
//
// In: a [study.Reduction]. Out: [study.Findings], which package study/render prints. Each
// question is an analysis in a file of its own, which takes one group after the other,
// counts into a sheet, and reports at the end. An occurrence of slowdown is a slow hour:
// T16's figures of repetition fit together only so.
//
// Read find.go first (the list of analyses), then sheet.go and runs.go, an analysis.
package survey
