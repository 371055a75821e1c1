// Package gluster runs the experiments of package testbed on this machine.
//
// Each run has a GlusterFS of its own: six servers in network and mount
// namespaces, disks and links with real limits, and a recorder in each. It is
// built for the run and taken away after it, so that no run bears the traces of
// another, and a run that was killed is cleaned up by the next.
//
// Shell scripts build and remove, as that is a list of commands; what runs
// beside each other, and when, is decided here. All processes of a cluster live
// in its namespaces, by which they are found and ended. Nothing outside is
// touched.
package gluster
