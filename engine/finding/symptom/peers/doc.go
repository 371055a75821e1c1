// Package peers says what the drives, interfaces and connections of servers do
// in a window beside what their peers do, and what a server as a whole has
// beyond its peers.
//
// It takes the totals of package window and adds medians. The detectors of one
// resource each (disk, network, loss) read it and note signs in it. It is pure.
package peers
