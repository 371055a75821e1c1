// Package slow finds components that answer more slowly than their peers, and the place
// or attribute that several of them have in common.
//
// Where slowness is decided: Detector.Row (step.go) compares each component with its
// peers in every step; Detector.update (tick.go) decides at every tick which components
// are suspects; Detector.isSure and Detector.amount (finding.go) compute how certain and
// how large a finding is. Package incident decides from these two which findings are
// incidents (Tracker.isIncident).
//
// By what test: a sequential test over ln(latency / median latency of all members with
// work). Row subtracts the part that a little more load explains (queue.go) and adds the
// rest to the evidence of the component, in nats (package evidence). The median of the
// healthy peers is used only for the size of the effect.
//
// At what false-alarm rate: Options.FalseSuspectsPerDay, one suspect a day among a
// thousand components, and Options.FalseIncidentsPerYear, one incident a year in the
// whole system. Options.evidenceBounds turns both into nats. An incident must also be
// slower than the smallest effect that matters (evidence.Options.SmallestTimes), and
// must have cost enough: the ratio times the duration (Options.CostSteps, CostSeconds).
//
// Odd components that hang on one place make one finding at that place, by localisation
// (localisation.go). A component that is known to be slow alone keeps its own finding
// while its array has a problem.
//
// Rows of package table and windows of package persistence come in, findings go out.
// Read step.go first, then tick.go and finding.go. explanations.go and causes.go group
// the slow components.
package slow
