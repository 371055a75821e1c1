// Package past finds components that are slower than they were before. It finds problems that a
// comparison with peers cannot find. There are three cases: a component without peers, a group of
// only two peers (a difference does not show which of the two is at fault), and components that all
// become slower at the same time.
//
// For each component, the detector learns a curve: the expected latency of a request as a function
// of the load, the size of requests, the share of reads and the time of day (curve.go). It forgets
// the past slowly. Every five minutes it compares the latency with the curve. It adds the
// difference to the evidence of the component (package evidence), as package slow does with the
// difference from the peers. The detector also learns how far the latency of a healthy component is
// from its curve, on average over a quarter of a day (drift.go). A difference up to this size is no
// evidence.
//
// If several components became slower at the same time, the place that they have in common is reported
// (places.go). A single component is reported only if it has no peers to compare it with. If only one
// component became slower, and it has peers, it is also slower than its peers. In this case the
// package engine/detect/slow reports the component.
//
// The input is rows of package table. The output is findings of class [finding.Past]. Read
// detector.go first, then curve.go and places.go. client.go finds a client that makes all drives of
// a group slow.
package past
