// This file lists the analyses of questions that T16 leaves open: whether a drive's history
// predicts its next slow hour, which drives are worth replacing, how many slow hours one or two
// parity drives would avoid, and whether a fleet is getting worse.

package survey

// foresightAnalyses returns the analyses of these questions.
func foresightAnalyses(s *sheet) []analysis {
	var all []analysis
	parity := newParityOnFile(s.Fleet)
	for _, t := range s.Thresholds {
		all = append(all, newCut(s, t, parity), newReplacement(s, t), newHazard(s, t))
	}
	return append(all, newDrift(s))
}
