// Package past finds components that are slower than they were before. It finds problems that a
// comparison with peers cannot find. There are three cases: a component without peers, a group of
// only two peers (a difference does not show which of the two is at fault), and components that all
// become slower at the same time.
//
// For each component, the detector learns how long a request takes: the latency as a function of
// the load, the size of requests, the share of reads and the time of day (curve.go). It forgets
// slowly. Every five minutes it compares the latency with the learned curve. It adds the difference
// to the evidence of the component (package evidence), in the same way as a comparison with peers.
// The detector also learns how far the latency of a healthy component is from its curve, on average
// over a quarter of a day (drift.go). A difference up to this size is no evidence.
//
// If several components became slower at the same time, the place that they have in common is
// reported (places.go). A single component is reported only if a comparison with its peers is not
// possible. If a component has peers and is slower than its own past, there are two cases. It may be
// slower than its peers: package slow reports this case. Or its peers became slower too: then the
// common place is reported.
//
// The input is rows of package table. The output is findings of class [finding.Past]. Read
// detector.go first, then curve.go and places.go. client.go finds a client that makes all drives of
// a group slow.
package past
