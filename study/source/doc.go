// Package source turns files of drive records into the drive hours of a study. The files are
// Parquet or CSV, hourly or finer, in any order, with an inventory of the drives and a log of
// their events. The default description is for the files of `limpet simulate fleet`.
//
// Files are read twice. The survey reads only times and names, which is cheap in a format with
// columns. It finds the drives, the number of records in each hour, and whether the records
// are in the order of time. In the second reading, records in order are streamed, several
// ranges of time in parallel. Records that are not in order are first sorted in temporary
// files, by ranges of time that fit into memory. Memory grows with the drives and with the
// records of an hour, but not with the number of hours. The drive hours do not depend on the
// number of streams.
//
// This package, and not the study, applies these rules:
//
//   - Hours are hours of UTC: records at 00:00 and at 00:59:59.9 belong to hour 0, unless the
//     description says that the time of a record is its end. Records around full hours belong
//     to the nearest full hour.
//   - Several records of a drive in an hour become one drive hour. Its latency and size are
//     means over requests, so that a record without requests has no weight. If no record of
//     the hour has a count of requests, all records have the same weight.
//   - The requests of a drive hour are the sum of the counts, or their mean if they are rates.
//     They are missing, and not 0, if no record has a count.
//   - If a drive has two records at the same time, and times are finer than hours, the first in
//     the order of files counts. If all records are at the same minute of the hour, all are
//     passed on, and the study leaves out duplicates.
//   - When clocks are put back, a local time occurs twice. The first record of a drive at such
//     a time has the earlier time, the second the later one. When clocks are put forward, some
//     local times do not occur; a record with such a time is left out.
//   - A row without a time, drive or group, or with too many or too few fields, is left out. A
//     value that is negative, infinite, too large or not a number is missing. Both are
//     counted, and the first few are shown.
//   - Values are rounded to 32-bit floats. Every text except the empty text is a valid name.
//
// Read source.go first, then description.go and hours_stream.go. In a diagnosis, package
// ingest does the same work.
package source
