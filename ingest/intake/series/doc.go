// Package series knows which series of node_exporter and limpet-record are used,
// and takes them apart: whose they are, and what they tell.
//
//	node_disk_reads_completed_total{instance="fs1:9100",device="sda"} 112133
//	node_disk_info{instance="fs1:9100",device="sda",major="8",minor="0",wwn="0x5000c500a1b2c3d4"} 1
//	limpet_tcp_sockets{instance="fs1:9101",remote="10.0.0.3",side="accepted"} 4
//
// Of what a machine shows a tenth is used. The rest is told apart by its name
// alone and costs no memory.
package series
