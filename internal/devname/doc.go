// Package devname returns the names that Linux gives to block devices, from their numbers.
//
// Activity files, /proc/diskstats and topologies name one device by name or by number.
// All readers take the name from here, so that a device has one name wherever it is
// shown: the name that sar prints.
package devname
