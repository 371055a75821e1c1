// Package ledger remembers what a running diagnosis has said, and what people
// have answered: incidents, their events, feedback and labels, who changed what,
// the state of alerts, and notifications that are still to be delivered.
//
// It is one SQLite file. Whatever a step of the diagnosis has to say is written in
// one transaction that survives a loss of power, or not at all. Events are
// numbered by the diagnosis: a number that the ledger has is ignored, since after
// a crash the same rows are pushed again and say the same events. Nothing here
// goes by the clock of this machine, but the times that people act at.
//
// Whoever reads has connections apart from the one that writes, so that a query
// never keeps the diagnosis waiting. In the stream it stands behind diagnose and
// words, and before alert and the API.
package ledger
