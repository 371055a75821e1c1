// Package report shows a diagnosis: text for people, JSON and CSV for programs,
// and a page with the evidence.
//
// There is one kind of result, the incident, and one writer for each format,
// whichever detector found something. All writers hear the same windows, lists
// and events; none computes anything, and what they say is made by package
// words. A writer can be saved between two rows and restored in another process:
// what it wrote before and what it writes afterwards are together what it would
// have written in one run.
//
// It stands at the end of the stream.
package report
