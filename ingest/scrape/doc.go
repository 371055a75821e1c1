// Package scrape requests samples from endpoints that serve the text format of
// Prometheus. The input is jobs with targets, as lists or as files of
// Prometheus's file-based discovery. The output is one batch of samples for
// each scrape, which goes to a [Sink].
//
// Each target is scraped at its own offset within the interval. A hash of the
// target determines the offset. So a thousand targets are not scraped at the
// same moment, and each target has the same offset after a restart. Credentials
// are in files, which are read again after a change. Credentials never appear
// in errors.
//
// Read scraper.go first, then text.go (the text format) and discover.go.
package scrape
