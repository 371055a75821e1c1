// Package machine makes readings of one machine out of the samples of its
// series, as they come.
//
// Counters stay as they are: who reads the files differences them. Samples are
// joined by time, however many requests they come in. A reading is whole or it
// is a gap: a counter that did not come is never taken for zero, nor a device
// whose counters did not come for one that has gone.
//
// It has no clock and opens no file. Time is told by whoever calls.
package machine
