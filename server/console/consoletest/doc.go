// Package consoletest has made-up sites for tests of the console: a storage system
// whose numbers follow from a formula, so that nothing is kept and any hour of any
// component can be asked for, with faults that come and go and incidents that speak
// of them.
//
// Three sites stand for what there is: a small one, Intrepid's 9,216 attachments,
// and a fleet of 100,000 drives. They are served by the handlers of package api and
// by package console, as a running diagnosis is. The time of their last row is handed
// in.
package consoletest
