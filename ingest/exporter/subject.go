package exporter

import (
	"math"
)

// A subject is a disk, an interface, a remote host, a file system, a sensor, or the server as a whole.
type subject struct {
	kind    Kind
	name    string
	dialled bool // only for a remote host: true if the server opened the connections
	index   int  // index of the subject in scrape.cells

	sampled uint32           // set of the fields whose series exist; a series exists if it had a sample and no later staleness marker
	live    uint32           // set of the fields in subject.sampled that a complete scrape must have
	since   [maxFields]int64 // time of the first sample of each field, ms
	last    [maxFields]int64 // time of the last sample of each field, ms

	service bool      // true if the disk is a service, such as an OSD
	placing placement // only for a service: the host and the devices on which it runs
	disk    identity  // identity of a disk
	mapper  string    // name that the device mapper gave to a disk; empty if there is no such name
	duplex  uint8     // duplex mode of an interface
	control string    // congestion control of a remote host

	work, next diskWork // only for a disk: its work in the last written reading, and in the reading that is made now
}

// diskWork has the requests of a disk in a reading, which is the state of a server at one time.
type diskWork struct {
	ios           uint64 // number of completed requests; 0 if unknown
	inFlight      bool   // true if some requests were not completed yet
	stuckReadings uint64 // number of consecutive readings in which the disk had requests in flight and completed none
}

// cells are the values of a subject, such as a disk, in one scrape.
type cells struct {
	filled  uint32 // set of the fields that have a value
	values  [maxFields]float64
	control string // congestion control of a remote host
}

func (c *cells) has(fields uint32) bool { return c.filled&fields == fields }

// fieldSet returns a set of fields, with one bit for each field.
func fieldSet(list ...int) (set uint32) {
	for _, f := range list {
		set |= 1 << f
	}
	return set
}

var (
	diskTimes = fieldSet(diskReadBytes, diskWrittenBytes, diskReadSeconds, diskWriteSeconds, diskBusySeconds, diskQueueSeconds)
	diskKinds = fieldSet(diskReads, diskWrites)
	nicWork   = fieldSet(nicRxBytes, nicRxPackets, nicTxBytes, nicTxPackets)
	nicFaults = fieldSet(nicRxErrors, nicRxDropped, nicRxFIFO, nicRxFrame, nicTxErrors, nicTxDropped, nicTxFIFO, nicCollisions, nicTxCarrier)
	peerSums  = fieldSet(peerSockets, peerRetransmitted, peerDelivered, peerSent, peerReceived, peerCwndDelivered)
	peerMeans = fieldSet(peerCwnd, peerRTT)
	fsRoom    = fieldSet(fsBytes, fsAvailable)
	pressures = fieldSet(hostMemoryWaiting, hostMemoryStalled)

	// infoFields are the fields of disks and interfaces that come from the
	// labels of info series. node_exporter exports info series even for some
	// devices without counters.
	infoFields = fieldSet(nicInfo)
)

// isUsable reports whether the cells c of the subject have all fields that a record of an activity
// file needs.
func (t *subject) isUsable(c *cells) bool {
	switch t.kind {
	case ofDisk:
		if t.service {
			return c.has(serviceCounters)
		}
		return c.has(diskTimes) && (c.has(diskKinds) || c.has(fieldSet(diskIOs)))
	case ofInterface:
		return c.has(nicWork)
	case ofPeer:
		return c.has(peerSums) && (c.values[peerSockets] == 0 || c.has(peerMeans))
	case ofFileSystem:
		return c.has(fsRoom)
	case ofSensor:
		return c.has(fieldSet(sensorTemperature))
	}
	return true
}

// reached reports whether every field in t.live has a sample at or after the
// given time.
func (t *subject) reached(time int64) bool {
	for f := range maxFields {
		if t.live&(1<<f) != 0 && t.last[f] < time {
			return false
		}
	}
	return true
}

// expectNoMore removes the given fields from t.live, the set of fields that a complete scrape must
// have. It does not remove a field that has a sample after the given time.
func (t *subject) expectNoMore(missing uint32, time int64) {
	for f := range maxFields {
		if missing&(1<<f) != 0 && t.last[f] <= time {
			t.live &^= 1 << f
		}
	}
}

// begunBefore reports whether at least one of the given fields had a sample before the given time.
// A series that begins after a scrape is not missing from the scrape.
func (t *subject) begunBefore(fields uint32, time int64) bool {
	for f := range maxFields {
		if fields&(1<<f) != 0 && t.since[f] < time {
			return true
		}
	}
	return false
}

// note stores the time of a sample of a field.
func (t *subject) note(f uint8, time int64) {
	if t.live&(1<<f) == 0 || time < t.since[f] {
		t.since[f] = time
	}
	t.live |= 1 << f
	t.sampled |= 1 << f
	t.last[f] = max(t.last[f], time)
}

// endField records that the series of a field ends at the given time. It does nothing if the field
// has a sample at that time or later. Such a sample exists if an info series with other labels has
// replaced the series.
func (t *subject) endField(f uint8, time int64) {
	if time <= t.last[f] {
		return
	}
	t.last[f] = time
	t.live &^= 1 << f
	t.sampled &^= 1 << f
}

// isCountable reports whether v is valid for a counter, or for a gauge that is never negative.
func isCountable(v float64) bool { return v >= 0 && v <= math.MaxUint64/2 }

// staleBits are the bits of the staleness marker. The marker is a NaN that ends
// a series.
const staleBits = 0x7ff0000000000002

func isStale(v float64) bool { return math.Float64bits(v) == staleBits }

// A scrape is the set of samples of a server that have the same time. It holds
// the samples that have arrived so far.
type scrape struct {
	time        int64 // ms since 1970
	cells       []cells
	lastArrival int64 // time at which the last sample arrived, ns since 1970
	whole       bool  // true if no more samples will come
}

// cellsOf returns the cells of a subject in the scrape.
func (s *scrape) cellsOf(t *subject) *cells {
	for len(s.cells) <= t.index {
		s.cells = append(s.cells, cells{})
	}
	return &s.cells[t.index]
}

// missing returns the fields in t.live that have no value in the scrape.
func (s *scrape) missing(t *subject) uint32 { return t.live &^ s.cellsOf(t).filled }

// isTorn reports whether the scrape has only some fields of a subject. In this case samples were
// lost, because the kernel always reports all counters of a device together.
func (s *scrape) isTorn(t *subject) bool {
	have := s.cellsOf(t).filled
	return have&^infoFields != 0 && t.begunBefore(t.sampled&^have, s.time)
}
