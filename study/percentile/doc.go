// Package percentile studies slowdowns of percentiles beside those of means. T16 had
// hourly means alone: a drive that stalls one request in a hundred for a second
// looks healthy in them.
//
// In every hour each drive of a group has the distribution of its requests' times in
// the device. Its mean, its median, its 99 % and its 99.9 % are each held against
// the median of its group's, as T16 does with means. A drive hour is slow in the
// tail where the 99 % or the 99.9 % reach the threshold, and in the tail alone where
// the mean does not. So it is told how many drives limp in the tail alone, for how
// long, and what of all slow hours a study of means would not have seen.
//
// A percentile is known where enough requests lie beyond it: ten. Hours of drives
// with fewer have none, and count for nothing in it. As elsewhere in the study, a
// group's hour needs three members.
//
// It stands beside study.Reduce, on rows that have latencies: those of limpet's own
// recorder, and of histograms of others.
package percentile
