// Package faulty has drives in memory that fail as they are told: I/Os that are
// answered with errors, that are done in part, that hang; power that is lost
// with any of the sectors that were not synced; bytes that rot; a file that is
// cut. What is done to a drive is a plan, which prints as the text that parses
// it, so that a run can be told and made again.
package faulty
