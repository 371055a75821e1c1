// Package gluster is GlusterFS as a system of the bench: six servers with a brick each, and two
// clients (eight if one of them is noisy) that mount the volume. Package lab/testbed/bench has the
// hosts, the disks and the course of a run.
package gluster
