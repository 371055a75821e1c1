// Package devices finds the components of a machine in its records: block devices and
// network interfaces, whatever they are called and wherever they stand. It reads
// their counters and puts what a step makes of them into rows.
//
// What is between machines is read by package connections.
package devices
