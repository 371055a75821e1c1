// Package zfs reads which drives the vdevs of ZFS pools are made of: zpool
// status with -P, -L, -g and -j, zpool list -v and zpool iostat -v.
package zfs
