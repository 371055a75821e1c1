// Package poll asks stores of metrics for what is new, again and again, and hands it on
// as if it had been pushed.
//
// What comes late is not lost. Each server is read from its own last sample on, less an
// overlap; of each series every sample is handed on once. So a server whose samples come
// an hour late is read when they come, and a store that was away is read from where it
// was left. A scrape of which some series are late waits for them.
package poll
