// Package kernel reads the counters of this machine's kernel: disks, interfaces,
// processors and TCP, and the devices that have these counters.
//
// In: files below /proc and /sys. Out: a sample, as package sysstat writes it. A recorder
// takes a sample every second for years. So a sample reads files that are open already,
// from their start, and allocates nothing unless a device comes or goes. A sample has the
// counters that sysstat's sadc would store at the same moment, of the same devices in the
// same order, so that files of both are alike. Read kernel.go first, then disks.go.
//
//	/proc/stat        processors
//	/proc/diskstats   block devices     /dev/disk/by-id           their WWN
//	/proc/net/dev     interfaces        /sys/class/net/*/speed    and duplex
//	/proc/net/snmp    TCP               /sys/block                the inventory
//	/proc/pressure    waiting tasks     /proc/self/mountinfo      room of file systems
package kernel
