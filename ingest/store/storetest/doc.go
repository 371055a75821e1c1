// Package storetest starts real stores for tests. It fills these stores with the data of activity
// files, as series of node_exporter, and with the data of tables. If the program of a store is not
// installed, the test is skipped. [Failing] is a store in memory whose failures a test can choose.
// Read start.go first, then fake.go.
package storetest
