// Package home is the page that people see who open a server's address: what limps
// now, in the sentences of every report, and where programs ask.
//
// It has no script and loads nothing. Where nothing is wrong it is calm.
package home
