// Package pagetest tries pages in a browser, as a reader does: with a mouse, a
// keyboard, in both colour schemes, on a screen or a phone.
//
// A test says its steps in Go, and a driver of a hundred lines passes them on to
// playwright-core and Debian's chromium. A page is opened where nothing else can
// be reached; whatever it complains of or asks for fails the test, unasked. Where
// the browser, node or npm are absent, or npm cannot install the driver's
// dependencies, tests are skipped and say what was missing.
//
// It is a helper for tests, as net/http/httptest is, and no part of limpet.
package pagetest
