// Package formtest compares the form of saved bytes with its version, in tests.
//
// If another version of limpet wrote a state, a journal or a message, this version must refuse
// it or understand it. So all saved bytes have a version, and a change of their form must raise
// the version. A golden file holds the form and its version. The test fails if the form has
// changed and the version has not.
package formtest
