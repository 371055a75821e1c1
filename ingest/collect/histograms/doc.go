// Package histograms is rows from histograms of others: what sites' own tools tell
// of how long requests took (package histogram).
//
// Files are read twice. The first reading finds the components and how far samples
// are apart, the second gives out rows; in between no more is held than a sample of
// each file. Rows have the latencies of requests, and of them the two numbers that
// every other detector asks for: how many there were (tps), and how long they took
// on average (await). Samples of a file that go back in time are left out, with a
// warning.
package histograms
