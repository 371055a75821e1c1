// Package histogram is what others tell of how long requests took: histograms of
// tools that sites have already. Each tool is a form, in a package below this one;
// behind them all is one path, that of rows with latencies.
//
// Tools divide time as they like. A bin's requests are taken to have lasted for the
// middle of it, by their logarithm: of bins that are an octave wide, 41 % more or
// less. Peers are measured by the same tool, so that this moves them alike. A tail
// shows where it leaves the bins of the peers.
//
// Counts since a tool began are differenced, rates are multiplied by the time since
// the sample before. What would be negative is a restart: it tells nothing. Nothing
// else is left out.
package histogram
