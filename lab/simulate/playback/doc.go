// Package playback writes activity files again, record by record, as if they were recorded now.
// Tests of programs that follow growing files use it. It copies bytes, and reads only where records
// begin.
package playback
