// Package path finds lost paths to LUNs, and the place to blame for the loss.
//
// The servers of a LUN have an order of priority. The first server in this order that has a path to
// the LUN normally serves it. If another server serves the LUN, all servers before it have lost
// their paths. A lost path is gone or unused (L13 §5.2.1). It is gone if the server does not have
// the device. It is unused if the server has the device and sends no requests to it. The path that
// serves instead has taken over: it is busy although it should be idle, and it is not to blame. A
// drive with only one server counts as a single path.
//
// At the end of each window, Detector.End finds the state of every path (lost.go). A path is lost
// for a long time if it was lost in k of the last 2k−1 windows. Findings then blames the place that
// these paths have in common (blame.go). There is no statistical test, because a path is either
// lost or not lost. The times for which the paths of a finding were lost are added up. When the sum
// reaches LostSeconds, the finding becomes an incident.
//
// Read detector.go first, then lost.go and blame.go.
package path
