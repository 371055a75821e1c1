// Package poll asks stores of metrics for what is new, again and again, and hands it on
// as if it had been pushed.
//
// What comes late is not lost. Each server is read from where all of its series had come
// to, and of each series every sample is handed on once. So a server whose samples come an
// hour late is read when they come, a store that was away is read from where it was left,
// and a scrape of which some series are late waits for them. All of that goes by the times
// of samples: while the store says nothing, nothing is given up.
package poll
