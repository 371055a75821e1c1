// Package clock reads times, whatever they are written as: numbers since the
// epoch, texts with a zone, and the time on a wall, which comes twice when
// clocks are put back and never when they are put forward.
//
// It stands below tabular and knows nothing of tables.
package clock
