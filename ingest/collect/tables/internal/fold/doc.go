// Package fold makes one row of the samples of one step.
//
// It stands below collect/tables, which reads the samples and says which step
// they are of.
package fold
