// Package blame says what the components of a system hang on, and so what can be
// blamed for several of them at once: a controller for its LUNs, a server for
// its drives, a slot or a model for drives of many servers.
//
// It stands beside topology, which it reads, and before all detectors.
package blame
