// Package study reduces the hourly records of a fleet of drives to what the
// slowdown study of T16 needs: how slow every drive was against the median of
// its group, hour by hour.
//
// In: hourly records of drives, from files (study/source) or counted inside a database
// (study/clickhouse). Out: a [Reduction], of which study/survey makes [Findings] and
// study/render text, pages and tables. A [Reducer] takes batches of drive hours in one
// pass, and the reductions of several reducers merge. This package opens no files; the
// room may import internal, record, topology, engine, ingest and report.
//
// Read first: slowdown.go (the slowdown S of a drive hour, and T1, T2 and T3, the largest
// of a group's hour), reducer.go (one pass over the records), findings.go (the result).
//
// A record counts where it is of a data drive and has a latency. No other property of the
// hour matters, with these exceptions:
//
//   - An hour without I/O has no latency: the drive is no member of its group
//     in that hour, and neither is one whose latency is missing, zero (no
//     request takes no time) or no number. What is missing is not zero. Nor
//     is a mean of more than a day a latency, or more I/Os than 2^40 a count.
//   - At least three members are needed for a median that means something
//     (T16 §3.1): hours of a group with fewer are left out, whatever the group
//     has in others.
//   - Of several records of one drive, group and hour one counts: that with
//     the most I/Os, then the greatest latency, then the greatest size.
//   - A drive belongs to the group that the record names. In another group it
//     begins another history: slow is what a drive is among its peers.
//   - Disks and SSDs in one group and hour are no peers: left out. A drive of
//     unknown kind is of the others' kind, and where no one at work in the hour
//     is of a known one, of the group's.
//
// All of that is counted in an Account, in which every row has its place.
// Equal drives all have a slowdown of 1, and a median between two values is
// their mean.
//
// Everything is counted in integers. So reductions of the same records are the
// same, in whatever order the members of a group and hour come, and however
// groups and ranges of time are spread over reducers.
//
// Memory grows with drives, not with their hours, but for what is kept of slow
// hours, 32 bytes each: at T16's rates of S ≥ 1.5, a quarter of a byte for each
// drive hour. By a threshold at which too many hours are slow nothing is reduced.
package study
