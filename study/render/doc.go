// Package render renders the findings of a study: sentences for a screen,
// JSON and CSV with every number, one page with all tables and plots. It also
// holds two results against each other, as periods or fleets.
//
// It computes nothing: what it shows stands in finding.Findings, and all
// renderings show the same. The one exception is the difference of two
// findings, which no study knows of; see Compare.
//
// It is the end of the study's stream, after study/survey.
package render
