// Package sysfs reads what the kernel and udev say of block devices and of the
// slots of enclosures, from copies of /sys and of /run/udev: as trees of files,
// as grep prints them (path:value), and as archives of ttar.
package sysfs
