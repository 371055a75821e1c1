package exporter

import (
	"maps"
	"slices"
)

// Kind is the kind of a subject. A series describes a subject: a device, an interface, a remote host
// or a server.
type Kind uint8

// Kinds of subjects.
const (
	ofHost Kind = iota
	ofDisk
	ofInterface
	ofPeer       // the connections with a remote host, in one direction
	ofFileSystem // a mounted file system, by its device
	ofSensor     // the temperature of an NVMe drive, by the name of its controller
)

// A Field identifies the value of a series: the kind of its subject, and the
// index of the value among the values of this kind.
type Field struct {
	Kind  Kind
	Index uint8
	Info  bool // true for an info series: the information is in its labels, and its value is always 1
	// Mapper is true for the info series with the name of a disk in the device mapper.
	Mapper bool
	// Service is true for a series that describes a service, such as an OSD. The service is stored
	// like a disk. All services of a cluster belong to one server, which represents the cluster
	// (see ceph.go).
	Service bool
}

// Fields of a block device. The fields of discards are optional, since kernels
// before 4.18 do not count discards. diskIOs may replace diskReads and
// diskWrites.
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
	diskIOs      // reads, writes and discards together
	diskInFlight // requests that have begun and not ended; optional

	diskInfo = nicInfo // the same index as nicInfo, so that the set infoFields is valid for disks and for interfaces
)

// Fields of an interface.
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

// Fields of connections.
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

// Fields of the server as a whole.
const (
	hostBoot = iota
	hostTime
	hostSampled
	hostUptime
	hostName
	hostCPUWaiting // seconds in which at least one task waited for a processor
	hostIOWaiting
	hostIOStalled // seconds in which all tasks that had work waited for I/O
	hostMemoryWaiting
	hostMemoryStalled
	hostBlocked // tasks that wait for block I/O
)

// Fields of a file system.
const (
	fsBytes     = iota
	fsAvailable // bytes that are free for processes that are not root
	fsFiles
	fsFreeFiles
	fsReadOnly
)

// Fields of a sensor. The unit of temperatures is °C.
const (
	sensorTemperature = iota
	sensorLimit       // temperature at which the drive slows itself down
	sensorAlarm       // 1 if the drive reports a critical warning
)

// maxFields is the largest number of fields of a kind of subjects.
const maxFields = nicInfo + 1

// fields maps the names of series to their fields. It has the series of node_exporter,
// limpet-record and Ceph (ceph.go) that limpet uses, about a tenth of the series that a server
// exports:
//
//	node_disk_reads_completed_total{instance="fs1:9100",device="sda"} 112133
//	node_disk_info{instance="fs1:9100",device="sda",major="8",minor="0",wwn="0x5000c500a1b2c3d4"} 1
//	limpet_tcp_sockets{instance="fs1:9101",remote="10.0.0.3",side="accepted"} 4
//
// limpet drops any other series as soon as it has read the name, and stores nothing about it.
var fields = map[string]Field{
	"node_disk_reads_completed_total":          {Kind: ofDisk, Index: diskReads},
	"node_disk_writes_completed_total":         {Kind: ofDisk, Index: diskWrites},
	"node_disk_read_bytes_total":               {Kind: ofDisk, Index: diskReadBytes},
	"node_disk_written_bytes_total":            {Kind: ofDisk, Index: diskWrittenBytes},
	"node_disk_read_time_seconds_total":        {Kind: ofDisk, Index: diskReadSeconds},
	"node_disk_write_time_seconds_total":       {Kind: ofDisk, Index: diskWriteSeconds},
	"node_disk_io_time_seconds_total":          {Kind: ofDisk, Index: diskBusySeconds},
	"node_disk_io_time_weighted_seconds_total": {Kind: ofDisk, Index: diskQueueSeconds},
	"node_disk_discards_completed_total":       {Kind: ofDisk, Index: diskDiscards},
	"node_disk_discarded_sectors_total":        {Kind: ofDisk, Index: diskDiscardedSectors},
	"node_disk_discard_time_seconds_total":     {Kind: ofDisk, Index: diskDiscardSeconds},
	"limpet_disk_ios_total":                    {Kind: ofDisk, Index: diskIOs},
	"node_disk_io_now":                         {Kind: ofDisk, Index: diskInFlight},
	"node_disk_info":                           {Kind: ofDisk, Index: diskInfo, Info: true},
	"limpet_disk_info":                         {Kind: ofDisk, Index: diskInfo, Info: true},
	"node_disk_device_mapper_info":             {Kind: ofDisk, Index: diskInfo, Info: true, Mapper: true},

	"node_network_receive_bytes_total":       {Kind: ofInterface, Index: nicRxBytes},
	"node_network_receive_packets_total":     {Kind: ofInterface, Index: nicRxPackets},
	"node_network_transmit_bytes_total":      {Kind: ofInterface, Index: nicTxBytes},
	"node_network_transmit_packets_total":    {Kind: ofInterface, Index: nicTxPackets},
	"node_network_receive_compressed_total":  {Kind: ofInterface, Index: nicRxCompressed},
	"node_network_receive_multicast_total":   {Kind: ofInterface, Index: nicMulticast},
	"node_network_transmit_compressed_total": {Kind: ofInterface, Index: nicTxCompressed},
	"node_network_speed_bytes":               {Kind: ofInterface, Index: nicSpeed},
	"node_network_receive_errs_total":        {Kind: ofInterface, Index: nicRxErrors},
	"node_network_receive_drop_total":        {Kind: ofInterface, Index: nicRxDropped},
	"node_network_receive_fifo_total":        {Kind: ofInterface, Index: nicRxFIFO},
	"node_network_receive_frame_total":       {Kind: ofInterface, Index: nicRxFrame},
	"node_network_transmit_errs_total":       {Kind: ofInterface, Index: nicTxErrors},
	"node_network_transmit_drop_total":       {Kind: ofInterface, Index: nicTxDropped},
	"node_network_transmit_fifo_total":       {Kind: ofInterface, Index: nicTxFIFO},
	"node_network_transmit_colls_total":      {Kind: ofInterface, Index: nicCollisions},
	"node_network_transmit_carrier_total":    {Kind: ofInterface, Index: nicTxCarrier},
	"node_network_info":                      {Kind: ofInterface, Index: nicInfo, Info: true},

	"limpet_tcp_sockets":                       {Kind: ofPeer, Index: peerSockets},
	"limpet_tcp_cwnd_segments":                 {Kind: ofPeer, Index: peerCwnd},
	"limpet_tcp_rtt_seconds":                   {Kind: ofPeer, Index: peerRTT},
	"limpet_tcp_retransmitted_segments_total":  {Kind: ofPeer, Index: peerRetransmitted},
	"limpet_tcp_delivered_segments_total":      {Kind: ofPeer, Index: peerDelivered},
	"limpet_tcp_sent_bytes_total":              {Kind: ofPeer, Index: peerSent},
	"limpet_tcp_received_bytes_total":          {Kind: ofPeer, Index: peerReceived},
	"limpet_tcp_cwnd_delivered_segments_total": {Kind: ofPeer, Index: peerCwndDelivered},
	"limpet_tcp_congestion_control_info":       {Kind: ofPeer, Index: peerControl, Info: true},

	"node_boot_time_seconds":          {Kind: ofHost, Index: hostBoot},
	"node_time_seconds":               {Kind: ofHost, Index: hostTime},
	"limpet_sample_timestamp_seconds": {Kind: ofHost, Index: hostSampled},
	"limpet_uptime_seconds":           {Kind: ofHost, Index: hostUptime},
	"node_uname_info":                 {Kind: ofHost, Index: hostName, Info: true},
	"limpet_record_info":              {Kind: ofHost, Index: hostName, Info: true},

	"node_pressure_cpu_waiting_seconds_total":    {Kind: ofHost, Index: hostCPUWaiting},
	"node_pressure_io_waiting_seconds_total":     {Kind: ofHost, Index: hostIOWaiting},
	"node_pressure_io_stalled_seconds_total":     {Kind: ofHost, Index: hostIOStalled},
	"node_pressure_memory_waiting_seconds_total": {Kind: ofHost, Index: hostMemoryWaiting},
	"node_pressure_memory_stalled_seconds_total": {Kind: ofHost, Index: hostMemoryStalled},
	"node_procs_blocked":                         {Kind: ofHost, Index: hostBlocked},

	"node_filesystem_size_bytes":  {Kind: ofFileSystem, Index: fsBytes},
	"node_filesystem_avail_bytes": {Kind: ofFileSystem, Index: fsAvailable},
	"node_filesystem_files":       {Kind: ofFileSystem, Index: fsFiles},
	"node_filesystem_files_free":  {Kind: ofFileSystem, Index: fsFreeFiles},
	"node_filesystem_readonly":    {Kind: ofFileSystem, Index: fsReadOnly},

	"node_hwmon_temp_celsius":     {Kind: ofSensor, Index: sensorTemperature},
	"node_hwmon_temp_max_celsius": {Kind: ofSensor, Index: sensorLimit},
	"node_hwmon_temp_alarm":       {Kind: ofSensor, Index: sensorAlarm},

	"ceph_bluestore_read_lat_count":       {Kind: ofDisk, Index: diskReads, Service: true},
	"ceph_bluestore_read_lat_sum":         {Kind: ofDisk, Index: diskReadSeconds, Service: true},
	"ceph_bluestore_commit_lat_count":     {Kind: ofDisk, Index: diskWrites, Service: true},
	"ceph_bluestore_commit_lat_sum":       {Kind: ofDisk, Index: diskWriteSeconds, Service: true},
	"ceph_bluestore_txc_commit_lat_count": {Kind: ofDisk, Index: diskWrites, Service: true},
	"ceph_bluestore_txc_commit_lat_sum":   {Kind: ofDisk, Index: diskWriteSeconds, Service: true},
	"ceph_osd_op_r_out_bytes":             {Kind: ofDisk, Index: diskReadBytes, Service: true},
	"ceph_osd_op_w_in_bytes":              {Kind: ofDisk, Index: diskWrittenBytes, Service: true},
	"ceph_osd_metadata":                   {Kind: ofDisk, Index: diskInfo, Info: true, Service: true},
	"ceph_disk_occupation":                {Kind: ofDisk, Index: diskInfo, Info: true, Service: true},
}

// Names returns the names of all series that limpet uses, sorted.
func Names() []string { return slices.Sorted(maps.Keys(fields)) }

// Wanted reports whether limpet uses the series with the given name.
func Wanted(name []byte) bool {
	_, ok := fields[string(name)]
	return ok
}
