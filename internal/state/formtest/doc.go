// Package formtest compares the form of saved bytes with its version, in tests.
//
// A state, a journal or a message that another version of limpet wrote has to be refused or
// understood, and never read as something else. So all saved bytes have a version, and a
// change of their form has to raise it. A golden file has both, the form and its version:
// the test fails where the form changes and the version does not.
package formtest
