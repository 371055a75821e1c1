// Package order finds order statistics of many values without sorting them: it
// is on the hot path of every window.
package order
