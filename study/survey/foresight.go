// This file answers questions that T16 leaves open: whether a drive's history predicts its
// next slow hour, which drives are worth replacing, what one or two parity drives would
// save, and whether a fleet is getting worse.

package survey

// foresightAnalyses are all of them.
func foresightAnalyses(s *sheet) []analysis {
	var all []analysis
	parity := newParityOnFile(s.Fleet)
	for _, t := range s.Thresholds {
		all = append(all, newCut(s, t, parity), newReplacement(s, t), newHazard(s, t))
	}
	return append(all, newDrift(s))
}
