// Package plot keeps what the plots of a page show, and draws them: the series of
// every component, and the distances of every window with their thresholds.
//
// What is kept is bounded, however long a diagnosis runs: old values are averaged.
// Everything else on a page is said by package report.
package plot
