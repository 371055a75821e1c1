// Package scrape pulls endpoints that serve Prometheus's text format. Jobs with
// targets come in, as lists or as files of Prometheus's file-based discovery.
// Batches of samples go out to a [Sink], one for each scrape.
//
// A hash of its address sets the offset of a target within the interval. So a
// thousand targets are not scraped at the same moment, and each has the same
// offset after a restart. Credentials are in files, which are read again after
// a change, and never appear in errors.
//
// Read scraper.go first, then text.go (the text format) and discover.go.
package scrape
