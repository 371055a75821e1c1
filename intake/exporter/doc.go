// Package exporter makes readings of machines out of the series that
// node_exporter and limpet-record expose.
//
//	node_disk_reads_completed_total{instance="fs1:9100",device="sda"} 112133
//	node_disk_info{instance="fs1:9100",device="sda",major="8",minor="0",wwn="0x5000c500a1b2c3d4"} 1
//	limpet_tcp_sockets{instance="fs1:9101",remote="10.0.0.3",side="accepted"} 4
//
// Counters stay as they are: who reads the files differences them. Samples are
// joined by machine and time, however many requests they come in. A reading is
// whole or it is a gap: a counter that did not come is never taken for zero,
// nor a device whose counters did not come for one that has gone.
//
// It has no clock and opens no file. Time is told by whoever calls.
package exporter
