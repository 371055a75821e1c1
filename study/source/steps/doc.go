// Package steps makes drive hours of the rows of a diagnosis: of limpet's own
// recordings, or of tables that collect reads.
//
// In the stream it stands beside source, which makes them of drive records.
package steps
