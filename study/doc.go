// Package study reduces the hourly records of a fleet of drives to the counts that the
// slowdown study of T16 needs. It compares every drive with the median of its group, hour by
// hour.
//
// In: hourly records of drives, from files (study/source) or counted inside a database
// (study/clickhouse). Out: a [Reduction]. From the reduction study/survey makes [Findings],
// and study/render makes text, pages and tables. A [Reducer] takes batches of drive hours in
// one pass; [Merge] merges the reductions of several reducers. This package opens no files.
// The room study may import internal, record, topology, engine, ingest and report.
//
// Read first: slowdown.go (the slowdown S of a drive hour, and T1, T2 and T3, the three
// largest slowdowns of a group's hour), reducer.go (one pass over the records), findings.go
// (the result).
//
// A record counts if it is of a data drive and has a latency. The drive is then a member of
// its group in that hour. The rules in detail:
//
//   - A drive is no member in an hour without I/O, or if its latency is missing, 0 or not a
//     number. A missing value is not the same as 0.
//   - A mean latency above a day and an I/O count above 2^40 are invalid.
//   - A median needs at least three members (T16 §3.1). An hour of a group with fewer members
//     is left out; its other hours still count.
//   - If a drive has several records in a group and hour, only one counts: the record with the
//     most I/Os, then the largest latency, then the largest size.
//   - A drive belongs to the group that the record names. In another group it begins a new
//     history, because a drive is slow only in comparison with its peers.
//   - If a group has disks and SSDs in an hour, the hour is left out: they are not peers.
//   - A drive of unknown kind takes the kind of the other members in the hour. If all members
//     are of unknown kind, they take the kind of the group.
//
// An [Account] counts every row under one of these cases. If all drives are equal, all
// slowdowns are 1. The median of an even number of values is the mean of the middle two.
//
// All counts are integers. So the reduction does not depend on the order of the members of a
// group and hour, nor on the division of groups and ranges of time between reducers.
//
// Memory grows with the number of drives. It does not grow with their hours, except for 32
// bytes for each slow hour: at T16's rates of S ≥ 1.5, a quarter of a byte for each drive
// hour. If too many hours are slow at a threshold, the reduction ends with an error.
package study
