// Package draw makes plots of what a study found: curves over the axes of
// T16's figures, and shares with bars for how sure they are.
//
// It stands below report, whose pages it draws for, and above page, which knows
// nothing of drives.
package draw
