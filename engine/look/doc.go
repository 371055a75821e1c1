// Package look compares the components of a storage system with their peers by one print of a
// tool, or by a few: ceph osd perf, iostat -x, zpool iostat and others.
//
// In come looks ([Look]): the values that one print has of each component. Out comes a
// [Ranking]: how many times slower than its peers each component is, who stands apart, what in
// the same print could explain it, which server has most of the slow components, and what so
// few values cannot show. A ranking is no verdict. A verdict needs time: package engine gives it.
//
// The package is pure: the same looks give the same ranking, whatever the order of lines.
//
// Read look.go first (what comes in), then ranking.go (what comes out), then group.go (how
// peers are compared).
package look
