// Package machines makes rows of the records of machines. A [Plan] settles what rows
// are about: the system, the metrics and the step. A [Machine] folds the records of
// one machine onto steps and puts them into its own columns of a [Batch].
//
// Files that are whole and files that grow are read by the same machines; what only
// the latter need stands in [Growth] and [Known].
package machines
