// Package md reads which drives the arrays of Linux software RAID are made of:
// /proc/mdstat, mdadm --detail and --examine, their scans, and the JSON that jc
// makes of them.
package md
