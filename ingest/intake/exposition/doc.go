// Package exposition reads Prometheus's text format, as fast as one who wants a
// tenth of it can: lines of series that are not used cost a look at their name.
// The format's own parser is its twin in tests.
package exposition
