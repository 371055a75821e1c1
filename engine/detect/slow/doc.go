// Package slow finds components that answer more slowly than their peers, and the place or
// attribute that several slow components have in common.
//
// Three parts of the code decide about slowness. Detector.Row (step.go) compares each component
// with its peers in every step. A tick comes every few steps (criteria.Options.TickSteps).
// Detector.update (tick.go) decides at every tick which components are suspects. Detector.isSure
// and Detector.amount (finding.go) compute how certain and how large a finding is. Package incident
// then decides which findings are incidents (Tracker.isIncident).
//
// A sequential test decides whether a component is slow. In each step, Row computes ln(latency /
// median latency of all group members with work). If the component has slightly more load than its
// peers, Row subtracts the part of the logarithm that this load explains (queue.go). Package evidence
// adds the rest to sums, and converts the sums to evidence in nats. The median of the healthy peers
// is used only for the size of the effect.
//
// The default false-alarm rates are one suspect a day among a thousand components
// (criteria.Options.FalseSuspectsPerDay), and one incident a year in the whole system
// (criteria.Options.FalseIncidentsPerYear). criteria.Options.Evidence converts these two rates into
// nats. An incident needs more than evidence. The ratio of the component to its peers must be
// larger than criteria.Options.SmallestTimes. If the members of its group normally differ more, the
// ratio must be larger than their normal ratios (ToleratedRatio). For a place with several members, the
// search in localisation.go replaces these two conditions. The cost of the slowness, which is its size
// times its duration, must be large enough (criteria.Options.CostSteps, CostSeconds).
//
// If several anomalous components belong to one place, one finding may blame this place instead of
// the components. The search for such a place is called localisation (localisation.go). A component
// that already has a problem of its own keeps its own finding when its array gets a problem.
//
// The input is rows of package table and windows of package persistence. The output is
// findings. Read step.go first, then tick.go and finding.go. explanations.go and
// causes.go group the slow components.
package slow
