// Package series keeps what the components of a lane measured over the last
// window: the smoothed values of one metric, and their load.
//
// It takes rows in time order. Steps that no row stands for are missing.
package series
