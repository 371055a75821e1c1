// Package tally is what the analyses of a study count into and report on: a
// Sheet for each kind of drives and direction. Counts are summed over groups,
// shares of them have intervals of confidence, and what is reported goes to
// one part of the findings, with T16's figures beside it.
package tally
