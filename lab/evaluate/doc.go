// Package evaluate holds a diagnosis against the truth.
//
// A diagnosis can be trusted only where the truth is known. So this package
// runs the same engine that diagnoses real systems over simulated ones, or over
// data that somebody labelled, and counts as the papers count: indictments and
// root causes of F10's test bench, events seen at Intrepid and the hours until
// then (L13), and for anything with a truth precision, recall, the time to a
// verdict and false alarms. The papers' figures stand beside ours. Simulated
// figures are headed as simulated.
//
// It stands at the end of the stream, after everything that it judges, and
// nothing imports it but the command. The same seed gives the same bytes,
// however many workers there are.
package evaluate
