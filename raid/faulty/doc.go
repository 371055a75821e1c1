// Package faulty has drives in memory that fail by a plan, for tests: I/Os end with errors,
// are done in part, or hang; a loss of power loses any of the sectors that were not
// synced; bytes rot; a file is cut. A plan prints as the text that parses it, so that a
// run can be reported and repeated. Read plan.go first.
package faulty
