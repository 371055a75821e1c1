// Package say writes the numbers of a study for people: with their units, as
// many digits as mean something, and how sure they are.
//
// It stands below report, whose every form for people says them alike.
package say
