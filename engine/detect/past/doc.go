// Package past finds components that are slower than they were before. It works where a comparison
// with peers cannot: a component without peers, two components of which either may be at fault, and
// components that all become slower at the same time.
//
// The detector learns for each component what a request costs: the latency as a function of the
// load, the size of requests, the share of reads and the time of day (curve.go). It forgets slowly.
// Every five minutes it compares the latency with the learned curve. It adds the difference to the
// evidence of the component (package evidence), in the same way as a comparison with peers. How far
// the latency of a healthy component is from its curve on average over a day is learned as well
// (wander.go), and so much is no evidence.
//
// If several components became slower at the same time, the place that they have in common is
// reported (places.go). A single component is reported only if its peers cannot tell: a component
// that is slower than its own past and has peers is either slower than its peers, which package slow
// reports, or its peers became slower too.
//
// The input is rows of package table. The output is findings of class [finding.Past]. Read
// detector.go first, then curve.go and places.go.
package past
