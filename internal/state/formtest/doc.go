// Package formtest holds the form of what is saved against its version. Only tests
// need it.
//
// A state, a journal or a message that another version of limpet wrote must be refused
// or understood, and never be read as something else. So everything that is saved has a
// version, and whoever changes its form has to raise that. A golden file has both, the
// form and its version: a test fails where the form changes and the version does not.
package formtest
