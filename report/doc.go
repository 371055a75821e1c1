// Package report writes a diagnosis for people and programs: text, JSON, CSV, and an HTML page with
// the evidence. It is also the room of all packages that decide which texts people read.
//
// In come the windows, lists and events of the engine while it runs, and its summary at the end.
// Out come files. There is one kind of result, the incident, and one writer for each format. A
// writer computes nothing about storage. It can be saved between two rows and restored in another
// process. The output of both processes together is the same as the output of one run.
//
// The packages of the room:
//   - document: the JSON of incidents and windows as Go values
//   - sentence: every sentence about an incident
//   - advice: what to do about an incident, and whether redundancy allows it
//   - witness: errors that drives and kernels logged, beside the evidence
//   - outcome: the exit status of a command, and which incidents are worth printing
//   - page, heatmap: self-contained HTML pages and their plots
//
// The room may import internal, record, topology and engine. It opens no network connection, and
// writes only to the writers and files of its caller.
//
// Read first: report.go has the writers, sentence/headline.go the headlines, and
// document/incident.go the fields of an incident.
package report
