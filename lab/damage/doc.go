// Package damage has one test that damages every file of every saved state of limpet: the state of
// serve and of a node of a cluster, the members of an array, the files of a recorder, and the file
// of diagnose --changes. Each file is removed, emptied, cut off, changed by one bit, replaced by an
// older version or by a directory, and made read-only. The test does this after a clean stop and
// after a kill. It asks four questions each time: does limpet start, what does it report, what is
// lost, and is anything that was acknowledged lost without a report? The answer to the last
// question must always be no.
//
// The test runs some drawn cases, and all cases with -damage.all (make damage).
//
// Read matrix_test.go first, then serve_test.go.
package damage
