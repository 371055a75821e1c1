// Package sitetest has made-up sites for the tests of everything that asks a site: the
// handler of the API, its client, and the console.
//
// A [Site] takes feedback and keeps everything in memory. There are two kinds:
//   - [New] returns the sample: a small storage system at a fixed time, with an incident
//     of every section and a few constant numbers.
//   - [Calm], [Muted], [Small], [Intrepid] and [Fleet] return sites whose numbers follow from a
//     formula, so that any hour of any component can be plotted and nothing is stored.
//     Faults come and go, and incidents describe them. The time of the last row is an
//     argument.
//
// [NewHandler] serves the API of a site, and [Serve] the API and the console.
//
// Read site.go first, then sample.go and sites.go.
package sitetest
