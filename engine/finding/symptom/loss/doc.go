// Package loss judges the connections of servers by the segments that had to be
// sent again.
//
// Two things lose segments. A network that is full drops what comes together,
// and is nobody's fault. A cable, a port or an interface that is broken loses
// one by one, and then the losses of a step vary from one to the next as chance
// does. So the variance tells the two apart, and the share that peers lose says
// how much is unusual. Congestion windows only support: an idle connection keeps
// its first window however much is lost, and some congestion controls do not
// shrink theirs at all.
//
// It reads the window of package peers and notes signs in it. It remembers
// nothing.
package loss
