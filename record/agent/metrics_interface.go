package agent

import (
	"math"

	"github.com/limpet-storage/limpet/record/sysstat"
)

const bytesPerMbit = 1e6 / 8

// interfaceFamilies are the work that an interface has done.
var interfaceFamilies = []family[sysstat.Interface]{
	{"node_network_receive_bytes_total", counter, "Bytes received.", func(n *sysstat.Interface) float64 {
		return float64(n.RxBytes)
	}},
	{"node_network_receive_packets_total", counter, "Packets received.", func(n *sysstat.Interface) float64 {
		return float64(n.RxPackets)
	}},
	{"node_network_receive_compressed_total", counter, "Compressed packets received.", func(n *sysstat.Interface) float64 {
		return float64(n.RxCompressed)
	}},
	{"node_network_receive_multicast_total", counter, "Multicast packets received.", func(n *sysstat.Interface) float64 {
		return float64(n.Multicast)
	}},
	{"node_network_transmit_bytes_total", counter, "Bytes sent.", func(n *sysstat.Interface) float64 {
		return float64(n.TxBytes)
	}},
	{"node_network_transmit_packets_total", counter, "Packets sent.", func(n *sysstat.Interface) float64 {
		return float64(n.TxPackets)
	}},
	{"node_network_transmit_compressed_total", counter, "Compressed packets sent.", func(n *sysstat.Interface) float64 {
		return float64(n.TxCompressed)
	}},
	{"node_network_speed_bytes", gauge, "Bytes a second that the link can carry.", func(n *sysstat.Interface) float64 {
		if n.SpeedMbit == 0 {
			return math.NaN()
		}
		return float64(n.SpeedMbit) * bytesPerMbit
	}},
}

// faultFamilies are what went wrong on an interface.
var faultFamilies = []family[sysstat.InterfaceErrors]{
	{"node_network_receive_errs_total", counter, "Packets received with errors.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.RxErrors)
	}},
	{"node_network_receive_drop_total", counter, "Packets received and dropped because buffers were full.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.RxDropped)
	}},
	{"node_network_receive_fifo_total", counter, "Overruns of the receiving FIFO.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.RxFIFO)
	}},
	{"node_network_receive_frame_total", counter, "Frames received that were malformed.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.RxFrame)
	}},
	{"node_network_transmit_errs_total", counter, "Packets that could not be sent.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.TxErrors)
	}},
	{"node_network_transmit_drop_total", counter, "Packets dropped before they were sent.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.TxDropped)
	}},
	{"node_network_transmit_fifo_total", counter, "Underruns of the sending FIFO.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.TxFIFO)
	}},
	{"node_network_transmit_colls_total", counter, "Collisions while sending.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.Collisions)
	}},
	{"node_network_transmit_carrier_total", counter, "Losses of carrier while sending.", func(n *sysstat.InterfaceErrors) float64 {
		return float64(n.TxCarrier)
	}},
}

func writeInterfaces(out exposition, interfaces []sysstat.Interface) {
	var devices []labelSet
	for i := range interfaces {
		devices = append(devices, labelSet{"device", interfaces[i].Name})
	}
	writeFamilies(out, interfaceFamilies, interfaces, devices)
}

func writeFaults(out exposition, faults []sysstat.InterfaceErrors) {
	var devices []labelSet
	for i := range faults {
		devices = append(devices, labelSet{"device", faults[i].Name})
	}
	writeFamilies(out, faultFamilies, faults, devices)
}
