package foresight

import "github.com/limpet-storage/limpet/study/tally"

// Analyses are all of them.
func Analyses(s *tally.Sheet) []tally.Analysis {
	var all []tally.Analysis
	parity := newParityOnFile(s.Fleet)
	for _, t := range s.Thresholds {
		all = append(all, newCut(s, t, parity), newReplacement(s, t), newHazard(s, t))
	}
	return append(all, newDrift(s))
}
