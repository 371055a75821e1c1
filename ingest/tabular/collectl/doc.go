// Package collectl is the form of what collectl -sD prints of drives: its plot
// format (-P), with any separator, and its detail format with dates (-oD).
//
//	# Host: store-1 …
//	# Date:       20261115-231220  Secs: 1794784340 TZ: +0100
//	#Date Time [DSK:sda]Name [DSK:sda]Reads … [DSK:sda]Wait [DSK:sda]SvcTim [DSK:sda]Util
//	20261115 23:12:30.001 sda 112.41 … 47.28 6.29 98.70
//
//	#Date    Time          Name       KBytes Merged  IOs Size  Wait  KBytes Merged  IOs …
//	20261115 23:12:30.001 sda           2076      0  112   18 …
//
// Wait is in ms and covers all requests. The zone is that of the header.
package collectl
