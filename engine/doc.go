// Package engine runs the stages over a stream of rows and asks two questions:
// what limps among components, and which server's resource is at fault.
//
// Each question is a set of detectors with their own step. Whatever they find
// goes to one tracker, so that each problem is told once. Presets choose the
// questions: both, one of them, or a paper to the letter.
//
// A day of files is a fast replay of a running system: both push rows into the
// same [Engine] and hear the same windows, lists and events. Between any two
// rows an engine can be saved, and goes on in another process as if it had never
// been stopped.
package engine
