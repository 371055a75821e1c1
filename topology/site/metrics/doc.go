// Package metrics reads what exporters tell Prometheus of drives and OSDs: the
// text that they serve, and the JSON of Prometheus' own API.
package metrics
