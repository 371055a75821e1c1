// Package clickhousetest starts ClickHouse servers for tests: Debian's clickhouse-server, on
// free loopback ports, in temporary directories, until the test ends. If clickhouse-server is
// not installed, the tests are skipped.
//
// It is a helper for tests, like net/http/httptest, and not a part of limpet.
package clickhousetest
