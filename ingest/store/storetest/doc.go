// Package storetest starts real stores for tests and fills them with activity
// files, as series of node_exporter, and with tables. [Failing] is a store in
// memory that fails as a test requires. A test is skipped where the program of
// a store is not installed. Read start.go first, then fake.go.
package storetest
