// Package source turns files of drive records into the drive hours that a
// study takes: Parquet or CSV, hourly or finer, in any order, with an
// inventory of the drives and a log of their events. Without a description
// the files are what `limpet simulate fleet` writes.
//
// Files are read twice. The survey reads times and names, which is cheap where
// columns stand apart: it tells who the drives are, whether the records are in
// the order of time, and how many an hour has. Then records in order stream
// straight through, several ranges of time side by side; others take one pass
// through temporary files, cut by ranges of time that fit into memory. Memory
// grows with drives and with the records of an hour, not with hours, and
// whatever the number of streams, a study sees the same drive hours.
//
// What is decided here, and not by the study:
//
//   - An hour is one of UTC: a record at 00:00 or 00:59:59.9 is of hour 0,
//     unless its description says that a time marks the end of what it tells.
//     Records that lie around full hours belong to the nearest.
//   - Records of a drive at several times of an hour are one drive hour. Its
//     latency and size are the means over requests: a record without requests
//     has no part in them, and records that count none are alike where no
//     record of the hour has a count. Requests are added up, or averaged where
//     they are rates. What is missing is not zero: without any count the count
//     is missing.
//   - Of two records of a drive at the same time, where times are finer than
//     hours, the first in the order of files counts. Where all records stand
//     at the same minute of an hour they are handed on as they are, and the
//     study leaves out what stands twice.
//   - A local time that comes twice, as clocks are put back, is the earlier
//     one where a drive has it for the first time, and then the later one. A
//     local time that never comes, as clocks are put forward, is no time.
//   - A row without a time, drive or group, or with too many or too few
//     fields, is left out; a value that is negative, infinite, beyond belief or
//     no number is missing. Both are counted, and the first few shown. Values are rounded
//     to 32-bit floats. Only an empty name is none.
//
// Read source.go first, then description.go and hours_stream.go. Package ingest has the
// same place in a diagnosis.
package source
