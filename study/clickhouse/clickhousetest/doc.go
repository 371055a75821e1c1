// Package clickhousetest starts ClickHouse servers for tests: Debian's
// clickhouse-server, on ports of loopback that are free, in directories of
// their own, until the test ends. Where there is none, tests are skipped and
// say so.
//
// It is a helper for tests, as net/http/httptest is, and no part of limpet.
package clickhousetest
