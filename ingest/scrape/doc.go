// Package scrape pulls endpoints in Prometheus's text format: static targets
// and those that files of its file-based discovery list.
//
// Targets are spread over the interval by a hash of their address, so that a
// thousand of them are no burst, and each is asked at the same place of every
// interval, whenever the process was started. Credentials stand in files, are
// read again when these change, and never appear in errors.
package scrape
