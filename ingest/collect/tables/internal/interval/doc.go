// Package interval tells how far apart the samples of a component are, by a bounded
// count of the times between its lines.
package interval
