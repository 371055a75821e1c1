// Package clickhouse does the first pass of a study inside ClickHouse, for fleets that are too
// large for one machine. The server computes medians and slowdowns and counts them. The
// package makes a study.Reduction from these counts. It is equal, to the last bit, to the
// reduction that a study.Reducer makes from the same records.
//
// The package replaces study/source and study.Reduce for records in tables. It uses
// study/source only to find names, roles, kinds and events. Records must be hourly. The
// package reads one range of time after the other, each with two queries: cells.sql returns
// counts, hours and slow hours of groups; tallies.sql returns hours of drives and
// distributions. The calendar and the steps from one hour to the next are computed in Go.
//
// The numbers are the same for these reasons:
//
//   - Each value is converted to float32 once. Medians and ratios are quotients of two float64
//     values, which IEEE 754 rounds in only one way. ClickHouse computes column by column, so
//     that no operations are fused. All sums are sums of integers.
//   - A threshold is written as a quotient of two integers, the second a power of two. Every
//     parser reads it as the same float64.
//   - No logarithm is computed. The bits of a ratio select one of the cells of study.Binner,
//     256 for each doubling, and are compared as integers with the limit in the cell.
//     study.Binner then finds the bin.
//
// All queries are SELECTs that ClickHouse 18.16 and current versions understand. A user with
// readonly = 1 can run them.
//
// The package queries each shard of a Distributed table directly. If the server queried the
// shards, it would fetch all members of all hours itself. So all records of a group must be on
// one shard, for example with
//
//	ENGINE = Distributed(cluster, db, records, cityHash64(group))
//
// Open returns an error if they are not; such a table needs Options.Gather. The fastest tables
// have the engine
//
//	ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (time, group)
package clickhouse
