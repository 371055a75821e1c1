// Package draft drafts the description of a table that someone has, from its header
// and its first rows.
//
// It stands beside presets, which are descriptions of what tools print. A draft is a
// guess: it says what it took each column for, leaves out what it does not know, and
// names what is to be checked. It is read by a person before it is used.
package draft
