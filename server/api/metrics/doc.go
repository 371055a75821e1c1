// Package metrics shows how a running diagnosis stands to Prometheus: what limps,
// how far its sources are, and what the server itself suffers from.
//
// The stance: however large a system is, there are no more than a few hundred
// series. Scores are shown of the top of the list and of what is in an incident;
// what is left out is counted.
package metrics
