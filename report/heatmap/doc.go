// Package heatmap keeps how long requests took over time, for latency heat maps
// and for distributions side by side.
//
// It is made for looking, and stays small however long a diagnosis runs: what is
// long ago has the coarser steps. The newest slots are a minute long. When there
// are too many, the oldest goes to the next level, whose slots are twice as long,
// and so on. Histograms add up exactly, so that no request is lost or invented on
// the way; only when it was becomes less sharp. A slot without requests is a gap:
// nothing took no time.
//
// Only the time in the device is kept, of reads and writes together, in quarters
// of an octave.
package heatmap
