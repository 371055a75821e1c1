// Package divide says which components can be judged apart from each other, and who
// judges which.
//
// A component is compared with its peers, and what is odd is blamed on what components
// hang on: an array, a server. So whatever shares a peer group, a server, an array or a
// LUN belongs together: it is a connected part of the topology. Parts share nothing but
// attributes, which package scale/common merges.
//
// The package is pure, and its answers depend on names alone: every node of a cluster
// divides a system alike, without asking another.
package divide
