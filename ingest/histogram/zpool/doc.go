// Package zpool is the form of what zpool iostat -wvp -T u of OpenZFS prints at an
// interval: a table for the pool, each group in it and each drive.
//
//	zpool iostat -wvpy -T u tank 15 > tank.txt
//
//	1794784343
//
//	sda          total_wait     disk_wait    syncq_wait    asyncq_wait
//	latency      read  write   read  write   read  write   read  write  scrub   trim
//	----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
//	1ns             0      0      0      0      0      0      0      0      0      0
//	…
//	2ms             3     25      3     15      0      0      0     17      0      0
//	--------------------------------------------------------------------------------
//
// The time in the drive counts (disk_wait). A line's time is the longest of its bin,
// which is an octave wide. zpool does not say which table is a drive's: pools and
// groups are left out by their names (mirror-0, raidz1-0, …), and the first table of
// a report is the pool, of which a file has one. The first report is left out, which
// without -y is since boot.
package zpool
