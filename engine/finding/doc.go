// Package finding defines the results of detectors. A [Finding] is plain data about one
// problem at one place, as one window shows it: the place, the kind, the components and
// their roles, the onset, the size, and the evidence for and against it.
//
// A finding has no text and no memory. Package incident turns findings into incidents that
// last, and package report/sentence writes the sentences about them.
//
// Each detector is a package below engine/detect. CONTRIBUTING.md lists the steps to add
// one. Read finding.go first, then server.go for the findings about servers.
package finding
