// Package expose shows the latest sample of a recorder to Prometheus, for
// those who want to see now what the files will tell later.
//
// It stands beside the stream: it hears each sample, keeps a copy of the last
// one and writes it when somebody asks. What node_exporter tells too
// has the same name, labels, unit and type here, so that one rule serves both;
// what it does not, or what a sample knows less of than it does, has a name
// that begins with limpet_. Text and protobuf, which has native histograms, are
// written by hand: an agent that is let onto a file server is to stay small enough
// to audit.
//
//	node_disk_read_bytes_total{device="sda"} 945716224
//	node_network_receive_bytes_total{device="eth0"} 627947667
//	limpet_disk_ios_total{device="sda"} 112133
//	limpet_tcp_rtt_seconds{remote="10.0.0.3",side="accepted"} 0.00021
package expose
