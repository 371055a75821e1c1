// Package heatmap keeps how long requests took over time, for latency heat maps and for comparing
// distributions.
//
// In come rows with latency histograms. Out come maps: the share of requests in each band of
// latency, slot by slot. Only the time in the device is kept, reads and writes together, in bands
// of a quarter of an octave.
//
// Memory stays small in a diagnosis of any length, because older slots are longer. The newest slots
// last a minute. When a level has too many slots, its oldest slot moves to the next level, whose
// slots are twice as long. Histograms add up exactly, so no request is lost; only its time gets
// less exact. A slot without requests is a gap.
//
// Read first: heatmap.go keeps the slots, map.go makes a map, band.go has the bands.
package heatmap
