// Package path finds paths to LUNs that were lost, and who lost them.
//
// A LUN is served by the first of its servers that has a path to it. Where that
// is no longer the first of all, those before it have lost theirs: the device
// is gone, or it is there and nobody uses it (L13 §5.2.1). The path that took
// over is busy where it ought to be idle, and is not to blame.
//
// The detector looks at every path once a window, counts with a k-of-2k−1
// filter how often it is lost, and then asks what the lost paths have in common.
// A drive that only one server has is a path without others.
package path
