// Package ownwork finds servers that do own work: they read or write for themselves, and not for
// clients (L13 §5.3.2). Own work is light, and uses all attachments of the server, including its
// standby paths.
//
// A standby path with own work looks as if it had taken over from a lost path. A LUN with own work
// looks different from all other LUNs. But nothing is broken, so the finding is harmless.
// Detector.Mark sets the condition of paths with own work to window.Working, so that other
// detectors do not treat own work like requests of clients.
//
// Mark decides in each window whether a server has own work. A server has own work if it uses at
// least half of its standby paths for light work, although paths of higher priority could serve the
// same LUNs. A standby path does not count if all paths of higher priority belong to servers
// without data, because nobody knows whether these paths could serve. Findings returns a finding
// about a server if the server had own work in k of the last 2k−1 windows. There is no statistical
// test.
//
// All code is in ownwork.go.
package ownwork
