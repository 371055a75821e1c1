// Package sentence makes the English sentences that people read about a diagnosis.
//
// In come the plain values of the engine: an incident, a suspect, an entry of a list, or a
// summary with silent and idle servers and missing data. Out come sentences: the headline
// of an incident, the facts that decided, the explanations that are ruled out, the next
// steps, and the verdict of a whole run. No other package makes sentences about incidents;
// text, JSON, pages, the API and alerts all show these.
//
// Sentences are for people. Programs never read them: a program finds the numbers and names that it
// needs in package document. So a sentence may change at any time.
//
// An operator who was woken at night must understand a sentence at first reading. A sentence
// that rules something out contains the number that rules it out. The same values always
// give the same sentences.
//
// Read first: writer.go has the [Writer] of one system, headline.go makes headlines,
// because.go the reasons.
package sentence
