// Package persistence compares every component with its peers and says which of
// them are odd, window by window.
//
// It takes rows in time order and keeps no more than the last window. In a
// window each component gets a score, the distance that it keeps from more
// than half of its peers; a score above its threshold is an anomaly, and a
// component with anomalies in at least k of the last 2k−1 windows is a
// suspect (F10 §10.1, L13 §4.2). Thresholds are trained on a fault-free
// period, or come from the group itself while it runs. A metric is judged in
// the groups of what it is measured on: await among drives, rxbyt among
// interfaces, cwnd among hosts.
//
// The package is pure: it has no clock, opens no files and writes no log.
package persistence
