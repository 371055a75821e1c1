// Package kernel is what this machine's kernel says of itself: counters of
// disks, interfaces, processors and TCP, and which devices stand behind them.
//
// It stands at the very beginning of the stream, on the servers themselves. A
// recorder asks it every second for years, so a sample takes files that are
// open already, reads them again from their start, and allocates nothing
// unless a device comes or goes. What is sampled is what sysstat's sadc would
// store of the same moment, the same devices in the same order, so that files
// of either are alike.
//
//	/proc/stat        processors
//	/proc/diskstats   block devices     /dev/disk/by-id           their WWN
//	/proc/net/dev     interfaces        /sys/class/net/*/speed    and duplex
//	/proc/net/snmp    TCP               /sys/block                the inventory
package kernel
