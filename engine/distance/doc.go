// Package distance measures how far every member of a peer group lies from its peers
// over a window.
//
// The input is a [Sample] of values. A [Measure] computes the scores from it: the larger the score,
// the farther the member is from its peers. The measures are the distance between cumulative
// histograms (cdf.go, L13 §4.2), the divergence of histograms (kl.go, F10 §10.1), the area between
// distributions without bins (wasserstein.go), and two simple measures without distributions
// (scalar.go). [Lag] compares the congestion windows of TCP connections as time series, without a
// histogram. Package persistence divides rows into windows, and finds anomalies by the scores.
//
// Read measure.go first, then cdf.go and majority.go.
package distance
