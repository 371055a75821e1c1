// Package ceph is Ceph as a system of the bench: a monitor and a manager on a host of their own, six
// or eight OSDs with BlueStore, a pool, and two clients that run rados bench. Package
// lab/testbed/bench has the hosts, the disks and the course of a run.
//
// What Ceph reports about itself is recorded beside the counters of the hosts, in files that limpet
// reads: see reports.go.
package ceph
