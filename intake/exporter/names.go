package exporter

// kind is what a series tells of.
type kind uint8

const (
	ofHost kind = iota
	ofDisk
	ofInterface
	ofPeer // the connections with a remote host, on one side
)

// field is what a series tells: the place of its value among those of its
// kind.
type field struct {
	kind  kind
	index uint8
	info  bool // it tells by its labels, and its value is always 1
}

// The fields of a block device. All but those of discards, which kernels
// before 4.18 do not count, are needed.
const (
	diskReads = iota
	diskWrites
	diskReadBytes
	diskWrittenBytes
	diskReadSeconds
	diskWriteSeconds
	diskBusySeconds
	diskQueueSeconds
	diskDiscards
	diskDiscardedSectors
	diskDiscardSeconds
	diskIOs // all together

	diskInfo = nicInfo // labels have one place, whatever they tell of
)

// The fields of an interface.
const (
	nicRxBytes = iota
	nicRxPackets
	nicTxBytes
	nicTxPackets
	nicRxCompressed
	nicMulticast
	nicTxCompressed
	nicSpeed
	nicRxErrors
	nicRxDropped
	nicRxFIFO
	nicRxFrame
	nicTxErrors
	nicTxDropped
	nicTxFIFO
	nicCollisions
	nicTxCarrier
	nicInfo
)

// The fields of connections.
const (
	peerSockets = iota
	peerCwnd
	peerRTT
	peerRetransmitted
	peerDelivered
	peerSent
	peerReceived
	peerCwndDelivered
	peerControl
)

// The fields of the machine as a whole.
const (
	hostBoot = iota
	hostTime
	hostSampled
	hostUptime
	hostName
)

// maxFields is how many the kind that has the most has.
const maxFields = nicInfo + 1

// fields are the series that are used, by name.
var fields = map[string]field{
	"node_disk_reads_completed_total":          {kind: ofDisk, index: diskReads},
	"node_disk_writes_completed_total":         {kind: ofDisk, index: diskWrites},
	"node_disk_read_bytes_total":               {kind: ofDisk, index: diskReadBytes},
	"node_disk_written_bytes_total":            {kind: ofDisk, index: diskWrittenBytes},
	"node_disk_read_time_seconds_total":        {kind: ofDisk, index: diskReadSeconds},
	"node_disk_write_time_seconds_total":       {kind: ofDisk, index: diskWriteSeconds},
	"node_disk_io_time_seconds_total":          {kind: ofDisk, index: diskBusySeconds},
	"node_disk_io_time_weighted_seconds_total": {kind: ofDisk, index: diskQueueSeconds},
	"node_disk_discards_completed_total":       {kind: ofDisk, index: diskDiscards},
	"node_disk_discarded_sectors_total":        {kind: ofDisk, index: diskDiscardedSectors},
	"node_disk_discard_time_seconds_total":     {kind: ofDisk, index: diskDiscardSeconds},
	"limpet_disk_ios_total":                    {kind: ofDisk, index: diskIOs},
	"node_disk_info":                           {kind: ofDisk, index: diskInfo, info: true},
	"limpet_disk_info":                         {kind: ofDisk, index: diskInfo, info: true},

	"node_network_receive_bytes_total":       {kind: ofInterface, index: nicRxBytes},
	"node_network_receive_packets_total":     {kind: ofInterface, index: nicRxPackets},
	"node_network_transmit_bytes_total":      {kind: ofInterface, index: nicTxBytes},
	"node_network_transmit_packets_total":    {kind: ofInterface, index: nicTxPackets},
	"node_network_receive_compressed_total":  {kind: ofInterface, index: nicRxCompressed},
	"node_network_receive_multicast_total":   {kind: ofInterface, index: nicMulticast},
	"node_network_transmit_compressed_total": {kind: ofInterface, index: nicTxCompressed},
	"node_network_speed_bytes":               {kind: ofInterface, index: nicSpeed},
	"node_network_receive_errs_total":        {kind: ofInterface, index: nicRxErrors},
	"node_network_receive_drop_total":        {kind: ofInterface, index: nicRxDropped},
	"node_network_receive_fifo_total":        {kind: ofInterface, index: nicRxFIFO},
	"node_network_receive_frame_total":       {kind: ofInterface, index: nicRxFrame},
	"node_network_transmit_errs_total":       {kind: ofInterface, index: nicTxErrors},
	"node_network_transmit_drop_total":       {kind: ofInterface, index: nicTxDropped},
	"node_network_transmit_fifo_total":       {kind: ofInterface, index: nicTxFIFO},
	"node_network_transmit_colls_total":      {kind: ofInterface, index: nicCollisions},
	"node_network_transmit_carrier_total":    {kind: ofInterface, index: nicTxCarrier},
	"node_network_info":                      {kind: ofInterface, index: nicInfo, info: true},

	"limpet_tcp_sockets":                       {kind: ofPeer, index: peerSockets},
	"limpet_tcp_cwnd_segments":                 {kind: ofPeer, index: peerCwnd},
	"limpet_tcp_rtt_seconds":                   {kind: ofPeer, index: peerRTT},
	"limpet_tcp_retransmitted_segments_total":  {kind: ofPeer, index: peerRetransmitted},
	"limpet_tcp_delivered_segments_total":      {kind: ofPeer, index: peerDelivered},
	"limpet_tcp_sent_bytes_total":              {kind: ofPeer, index: peerSent},
	"limpet_tcp_received_bytes_total":          {kind: ofPeer, index: peerReceived},
	"limpet_tcp_cwnd_delivered_segments_total": {kind: ofPeer, index: peerCwndDelivered},
	"limpet_tcp_congestion_control_info":       {kind: ofPeer, index: peerControl, info: true},

	"node_boot_time_seconds":          {kind: ofHost, index: hostBoot},
	"node_time_seconds":               {kind: ofHost, index: hostTime},
	"limpet_sample_timestamp_seconds": {kind: ofHost, index: hostSampled},
	"limpet_uptime_seconds":           {kind: ofHost, index: hostUptime},
	"node_uname_info":                 {kind: ofHost, index: hostName, info: true},
	"limpet_record_info":              {kind: ofHost, index: hostName, info: true},
}

// Wanted says whether series of a name are used.
func Wanted(name []byte) bool {
	_, ok := fields[string(name)]
	return ok
}
