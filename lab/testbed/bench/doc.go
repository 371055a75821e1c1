// Package bench runs the experiments of package testbed on this machine.
//
// Each run has a cluster of its own: servers, clients and a bystander in network namespaces, disks
// and links with real limits, and a recorder on each host. A [System] is the storage system that
// runs on the cluster; packages lab/testbed/gluster and lab/testbed/ceph have one each. The cluster
// is built for the run and removed after it, so that no run has traces of another run. A run that
// was killed is cleaned up by the next run.
//
// Shell scripts build and remove, because that is a list of commands. Go code decides what runs at
// the same time, and when. All processes of a cluster live in its namespaces, by which they are
// found and ended. Nothing outside is touched. Read run.go first.
package bench
