// Package evaluate compares a diagnosis with the truth.
//
// In: simulated systems, or data with labels. Out: tables of rates, as text, CSV and HTML. The
// package runs the same engine that diagnoses real systems, and counts as the papers do:
//
//   - indictments and root causes of F10's test bench;
//   - events seen at Intrepid, and the hours until then (L13);
//   - for any data with a truth: precision, recall, the time to an incident, and false alarms.
//
// Reports have the figures of the papers and ours; simulated figures are marked as simulated. Only
// the command imports the package. The same seed gives the same bytes with any number of workers.
//
// Read evaluate.go first, then score_incidents.go (right, wrong and late), intrepid.go and
// testbench.go (the two papers' experiments).
package evaluate
