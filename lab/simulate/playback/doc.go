// Package playback writes activity files again, record by record, as recorders would write
// them if the time of their records were now: what reads files that grow can be tried
// against it.
//
// It copies bytes and understands nothing but where records begin.
package playback
