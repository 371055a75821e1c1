// Package files finds the activity files of hosts, and what they hold: how far apart
// records are, which devices, interfaces and addresses a host has shown.
//
// It reads headers, first records and inventories. What is measured is read by
// package machines.
package files
