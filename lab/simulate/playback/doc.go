// Package playback writes activity files again, record by record, as recorders would write
// them if the time of their records were now, for tests of programs that follow growing
// files. It copies bytes, and finds only where records begin.
package playback
