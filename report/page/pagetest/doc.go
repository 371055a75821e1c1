// Package pagetest tests pages in a browser, as a reader uses them: with a mouse or a keyboard, in
// both colour schemes, on a screen or a phone.
//
// A test has its steps in Go. A driver of a hundred lines passes them on to playwright-core and
// Debian's chromium. The page can reach nothing else. Every error, warning and request of the page
// fails the test automatically. If the browser, node or npm is absent, or if npm cannot install the
// driver's dependencies, tests are skipped with the reason.
//
// It is a helper for tests, like net/http/httptest, and no part of limpet.
package pagetest
