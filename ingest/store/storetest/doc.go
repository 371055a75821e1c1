// Package storetest starts real stores for tests, and fills them: with activity files
// as if node_exporter had told them, and with tables. A test skips by the name of a
// program that is not installed. Only tests need it.
package storetest
