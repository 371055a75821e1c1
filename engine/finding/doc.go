// Package finding defines the results of detectors. A [Finding] is plain data about one
// problem at one place in one window: the place, the kind, the components and their
// roles, the onset, the size, and the evidence for and against it.
//
// A finding contains no text and no history. Package incident turns findings into
// incidents, which last for many windows. Package report/sentence writes the sentences
// about incidents.
//
// Each detector is a package below engine/detect. CONTRIBUTING.md lists the steps to add
// a detector. Read finding.go first, then server.go for the findings about servers.
package finding
