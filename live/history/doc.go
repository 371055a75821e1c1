// Package history stores the measured values and scores of a running diagnosis, for plots and maps
// of the past. It keeps the values of every step for days. It keeps the least, mean and largest
// values of quarter hours, and the scores of windows, for months.
//
// The input is rows and windows ([Store.Row], [Store.Window]). The output is series, maps and
// scores ([Store.Series], [Store.Map], [Store.Scores]).
//
// The values are for people to look at, not for computations. The values are rounded to eight
// binary digits, so that a year of values of a large system fits on a small disk. The rounding
// error is at most 0.4 % (2⁻⁸). The journal of the engine has exact values. A missing value stays
// missing.
//
// There are three tiers: steps, quarter hours and windows. On disk each tier is a directory of
// Parquet files, which any Parquet tool can read. A row of such a file holds one component at one
// time, and a column holds one quantity (package segment). The name of a file contains its first
// and last time. A file is written under a temporary name and then renamed.
//
//	steps/20110509-000015_20110509-010000.parquet      every step
//	quarters/20110509-000015_20110510-000000.parquet   least, mean and largest value of quarter hours
//	windows/20110509-000730_20110510-000000.parquet    scores, thresholds and verdicts
//
// Components are identified by name, so that the history of a drive survives a change of the
// topology. Rows that are not on disk yet are in memory. Queries for series, heat maps and scores
// return values of these rows too.
//
// # What survives a kill
//
// The caller passes a step to the history before it passes the step to the engine: it calls
// Store.Row first and Engine.Push second. During Push, the engine passes its windows to
// Store.Window.
//
// A caller with a journal calls [Store.Flush] before each snapshot. After a restart the journal
// replays the rows, and the engine makes the windows again. The store recognises repeated rows and
// windows by their times and ignores them. So no row is lost and no row is stored twice. Without a
// journal, a kill loses the rows in memory: at most one hour of rows.
//
// Read store.go first, then series.go. The files are managed in tier.go.
package history
