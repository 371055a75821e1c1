// Package devname knows what Linux calls a block device of a number.
//
// Activity files, /proc/diskstats and topologies speak of one device by name
// or by number. Whoever tells them apart asks here, so that a device has one
// name wherever it is shown: that which sar prints.
package devname
