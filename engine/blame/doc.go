// Package blame maps components to the parts that they depend on: a LUN to its controller,
// a drive to its server, slot and model. A part that many slow components share is the
// place to blame.
//
// A [topology.System] comes in, and a [Map] goes out. All detectors use the map. Read
// place.go first, then attributes.go for attributes that are derived from names.
package blame
