// Package path finds lost paths to LUNs, and the place that lost them.
//
// A LUN is served by the first of its servers that has a path to it. If a later server
// serves it, the paths of the servers before that server are lost: the device is gone,
// or it is there and unused (L13 §5.2.1). The path that took over is busy although it
// should be idle, and is not to blame. A drive of only one server counts as a single
// path.
//
// At the end of each window, Detector.End looks at every path (lost.go). A path is lost
// for long if a k-of-2k−1 filter counts it as lost in k windows. Findings then blames
// the place that the lost paths have in common (blame.go). There is no statistical test:
// a path is there or it is not. A finding becomes an incident when the times for which
// its paths were lost add up to Options.LostSeconds.
//
// Read detector.go first, then lost.go and blame.go.
package path
