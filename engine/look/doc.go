// Package look compares the components of a storage system with their peers. It uses one or a few
// outputs of a tool, such as ceph osd perf, iostat -x or zpool iostat. An output is what a tool
// writes in one run, or in one interval.
//
// The input is looks. A [Look] has the values of each component in one output. The result is a
// [Ranking]. For each component, the ranking contains the ratio to its peers, and a mark that shows
// whether the component stands apart. A component stands apart if it is slower than its peers, and
// chance does not explain the difference. The ranking also names values of the same output that could
// explain why a component is slow, and servers whose components are slow together. Its limits
// ([Limit]) are the reasons why so few values cannot answer a question. A ranking does not prove a
// fault, because a proof needs data over a longer time. Package engine uses such data.
//
// The same looks always give the same ranking. The order of the lines in an output does not matter.
//
// Read look.go first (the input), then ranking.go (the result), then group.go (the comparison with
// peers).
package look
