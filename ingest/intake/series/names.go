package series

import (
	"maps"
	"slices"
)

// A Kind is what a series tells of.
type Kind uint8

// What series tell of.
const (
	OfHost Kind = iota
	OfDisk
	OfInterface
	OfPeer // the connections with a remote host, on one side
)

// A Field is what a series tells: the place of its value among those of its
// kind.
type Field struct {
	Kind  Kind
	Index uint8
	Info  bool // it tells by its labels, and its value is always 1
}

// The fields of a block device. All but those of discards, which kernels
// before 4.18 do not count, are needed.
const (
	DiskReads = iota
	DiskWrites
	DiskReadBytes
	DiskWrittenBytes
	DiskReadSeconds
	DiskWriteSeconds
	DiskBusySeconds
	DiskQueueSeconds
	DiskDiscards
	DiskDiscardedSectors
	DiskDiscardSeconds
	DiskIOs // all together

	DiskInfo = NicInfo // labels have one place, whatever they tell of
)

// The fields of an interface.
const (
	NicRxBytes = iota
	NicRxPackets
	NicTxBytes
	NicTxPackets
	NicRxCompressed
	NicMulticast
	NicTxCompressed
	NicSpeed
	NicRxErrors
	NicRxDropped
	NicRxFIFO
	NicRxFrame
	NicTxErrors
	NicTxDropped
	NicTxFIFO
	NicCollisions
	NicTxCarrier
	NicInfo
)

// The fields of connections.
const (
	PeerSockets = iota
	PeerCwnd
	PeerRTT
	PeerRetransmitted
	PeerDelivered
	PeerSent
	PeerReceived
	PeerCwndDelivered
	PeerControl
)

// The fields of the machine as a whole.
const (
	HostBoot = iota
	HostTime
	HostSampled
	HostUptime
	HostName
)

// MaxFields is how many the kind that has the most has.
const MaxFields = NicInfo + 1

// fields are the series that are used, by name.
var fields = map[string]Field{
	"node_disk_reads_completed_total":          {Kind: OfDisk, Index: DiskReads},
	"node_disk_writes_completed_total":         {Kind: OfDisk, Index: DiskWrites},
	"node_disk_read_bytes_total":               {Kind: OfDisk, Index: DiskReadBytes},
	"node_disk_written_bytes_total":            {Kind: OfDisk, Index: DiskWrittenBytes},
	"node_disk_read_time_seconds_total":        {Kind: OfDisk, Index: DiskReadSeconds},
	"node_disk_write_time_seconds_total":       {Kind: OfDisk, Index: DiskWriteSeconds},
	"node_disk_io_time_seconds_total":          {Kind: OfDisk, Index: DiskBusySeconds},
	"node_disk_io_time_weighted_seconds_total": {Kind: OfDisk, Index: DiskQueueSeconds},
	"node_disk_discards_completed_total":       {Kind: OfDisk, Index: DiskDiscards},
	"node_disk_discarded_sectors_total":        {Kind: OfDisk, Index: DiskDiscardedSectors},
	"node_disk_discard_time_seconds_total":     {Kind: OfDisk, Index: DiskDiscardSeconds},
	"limpet_disk_ios_total":                    {Kind: OfDisk, Index: DiskIOs},
	"node_disk_info":                           {Kind: OfDisk, Index: DiskInfo, Info: true},
	"limpet_disk_info":                         {Kind: OfDisk, Index: DiskInfo, Info: true},

	"node_network_receive_bytes_total":       {Kind: OfInterface, Index: NicRxBytes},
	"node_network_receive_packets_total":     {Kind: OfInterface, Index: NicRxPackets},
	"node_network_transmit_bytes_total":      {Kind: OfInterface, Index: NicTxBytes},
	"node_network_transmit_packets_total":    {Kind: OfInterface, Index: NicTxPackets},
	"node_network_receive_compressed_total":  {Kind: OfInterface, Index: NicRxCompressed},
	"node_network_receive_multicast_total":   {Kind: OfInterface, Index: NicMulticast},
	"node_network_transmit_compressed_total": {Kind: OfInterface, Index: NicTxCompressed},
	"node_network_speed_bytes":               {Kind: OfInterface, Index: NicSpeed},
	"node_network_receive_errs_total":        {Kind: OfInterface, Index: NicRxErrors},
	"node_network_receive_drop_total":        {Kind: OfInterface, Index: NicRxDropped},
	"node_network_receive_fifo_total":        {Kind: OfInterface, Index: NicRxFIFO},
	"node_network_receive_frame_total":       {Kind: OfInterface, Index: NicRxFrame},
	"node_network_transmit_errs_total":       {Kind: OfInterface, Index: NicTxErrors},
	"node_network_transmit_drop_total":       {Kind: OfInterface, Index: NicTxDropped},
	"node_network_transmit_fifo_total":       {Kind: OfInterface, Index: NicTxFIFO},
	"node_network_transmit_colls_total":      {Kind: OfInterface, Index: NicCollisions},
	"node_network_transmit_carrier_total":    {Kind: OfInterface, Index: NicTxCarrier},
	"node_network_info":                      {Kind: OfInterface, Index: NicInfo, Info: true},

	"limpet_tcp_sockets":                       {Kind: OfPeer, Index: PeerSockets},
	"limpet_tcp_cwnd_segments":                 {Kind: OfPeer, Index: PeerCwnd},
	"limpet_tcp_rtt_seconds":                   {Kind: OfPeer, Index: PeerRTT},
	"limpet_tcp_retransmitted_segments_total":  {Kind: OfPeer, Index: PeerRetransmitted},
	"limpet_tcp_delivered_segments_total":      {Kind: OfPeer, Index: PeerDelivered},
	"limpet_tcp_sent_bytes_total":              {Kind: OfPeer, Index: PeerSent},
	"limpet_tcp_received_bytes_total":          {Kind: OfPeer, Index: PeerReceived},
	"limpet_tcp_cwnd_delivered_segments_total": {Kind: OfPeer, Index: PeerCwndDelivered},
	"limpet_tcp_congestion_control_info":       {Kind: OfPeer, Index: PeerControl, Info: true},

	"node_boot_time_seconds":          {Kind: OfHost, Index: HostBoot},
	"node_time_seconds":               {Kind: OfHost, Index: HostTime},
	"limpet_sample_timestamp_seconds": {Kind: OfHost, Index: HostSampled},
	"limpet_uptime_seconds":           {Kind: OfHost, Index: HostUptime},
	"node_uname_info":                 {Kind: OfHost, Index: HostName, Info: true},
	"limpet_record_info":              {Kind: OfHost, Index: HostName, Info: true},
}

// Names are those of all series that are used, sorted.
func Names() []string { return slices.Sorted(maps.Keys(fields)) }

// Wanted says whether series of a name are used.
func Wanted(name []byte) bool {
	_, ok := fields[string(name)]
	return ok
}
