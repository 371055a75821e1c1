// Package blame maps components to the parts that they depend on: a LUN to its controller, a drive
// to its server, slot and model. If many slow components share a part, this part is to blame for
// their slowness.
//
// [NewMap] takes a [topology.System] and returns a [Map], which all detectors use. Read place.go
// first, then attributes.go for attributes that are derived from names.
package blame
