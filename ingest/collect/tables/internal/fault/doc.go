// Package fault says in words what is wrong with the lines of a table, each kind once,
// with the first of them and what to do.
package fault
