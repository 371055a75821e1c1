// Package exporter finds the machine that each series of node_exporter and
// limpet-record tells of, and has the readings of all machines written.
//
// It bounds how many machines there may be and what they may be called, since
// labels are anyone's to give. It has no clock and opens no file.
package exporter
