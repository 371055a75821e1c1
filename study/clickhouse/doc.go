// Package clickhouse makes the first pass of a study inside ClickHouse, for
// fleets past one machine: the server finds medians and slowdowns and counts
// them, and what it has counted is fetched as the study.Reduction that a
// Reducer of the same records returns, to the bit.
//
// In the stream it stands where study/source and study.Reduce do; names, roles,
// kinds and events are made out by study/source itself, from what the tables
// tell. Records are hourly. They are asked for range of time by range of time,
// each in two queries: cells.sql for counts, hours and slow hours of groups,
// tallies.sql for hours of drives and for distributions. What is left to Go is
// the calendar, and steps from one hour to the next.
//
// Why the numbers are the same:
//
//   - Values are taken to float32 once, medians and ratios are quotients of
//     two float64 values each, which IEEE 754 rounds in one way; ClickHouse
//     works column by column, so that nothing is fused. All sums are of
//     integers.
//   - A threshold is written as a quotient of two integers, the second a power
//     of two, and so reads as the same float64 whoever parses it.
//   - No logarithm is taken. The bits of a ratio are looked up in the cells of
//     study.Binner, 256 to a doubling, and compared as integers with the limit
//     that may lie in the cell; study.Binner has the bin of each.
//
// All questions are SELECTs that ClickHouse 18.16 and current versions both
// take; a user with readonly = 1 can ask them.
//
// A Distributed table is asked shard by shard, each shard directly: had the
// server to ask them, it would fetch all members of all hours for itself. So
// all of a group has to be on one shard, as with
//
//	ENGINE = Distributed(cluster, db, records, cityHash64(group))
//
// and Open sees to it that it is. A table that is sharded otherwise is read
// with Options.Gather. Tables are read fastest where they are as these:
//
//	ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (time, group)
package clickhouse
