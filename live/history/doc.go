// Package history keeps what a running diagnosis has seen, as evidence for plots
// and maps of the past: every step for days, quarter hours and the scores of
// windows for months.
//
// It is made for looking, not for computing. Values are rounded to eight binary
// digits, within 0.4 % (2⁻⁸), so that a year of a large system fits a small disk;
// the engine has exact values in its own journal. Missing stays missing.
//
// Each tier is a directory of Parquet files, named by the time of their first and
// last row, that any tool can read: a row for each component and time, a column
// for each quantity (package segment). Files are written whole and then renamed.
//
//	steps/20110509-000015_20110509-010000.parquet      every step
//	quarters/20110509-000015_20110510-000000.parquet   least, mean and largest of quarter hours
//	windows/20110509-000730_20110510-000000.parquet    scores, thresholds and verdicts
//
// Components are known by their names, so that a drive's history survives a
// changed topology. What has not been written yet is in memory and is part of
// every answer.
//
// # Killed at any time
//
// A step goes to the history before it goes to the engine, whose windows follow:
// Row, then Push, which calls Window.
//
// Whoever keeps a journal calls [Store.Flush] before each snapshot. Rows and
// windows that come again after a restart, because the journal replays them, are
// known by their times and not stored twice. So nothing is lost and nothing
// doubled. Without a journal a kill costs what was not flushed, an hour at most.
package history
