// Package score counts how often a diagnosis is right.
//
// It is given what was found and what is true, and counts as the papers count:
// indictments and causes of an experiment (F10 footnote 5), the hours until an
// operator sees an event in the lists (L13 §5.1), and verdicts on components
// that are right, wrong or late. What counts as right is decided here and
// nowhere else.
//
// The package is pure: it listens to diagnoses that others run.
package score
