// Package archive keeps what a report has to remember of a diagnosis beside what it
// has written: incidents that are over, and how much could be judged.
package archive
