// Package faulty holds drives in memory that fail by a plan, for tests. I/Os end with errors, are
// done in part, or hang. A loss of power loses some of the sectors that were not synced. Bytes rot.
// A file is cut. A plan prints as the text that parses it, so that a run can be reported and
// repeated. Read plan.go first.
package faulty
