// Package kernlog reads what kernels log of drives: dmesg -T, journalctl -k in its
// forms, and the files that a syslog writes. Lines without a time are read over, as
// nobody knows what they are near to.
package kernlog
