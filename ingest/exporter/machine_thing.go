package exporter

import (
	"math"
)

// A thing is a disk, an interface, a remote host or the machine as a whole.
type thing struct {
	kind    Kind
	name    string
	dialled bool // of a remote host
	index   int  // in the cells of a scrape

	had   uint32           // fields that it has unless they are said to have ended
	live  uint32           // those among them that are waited for
	since [maxFields]int64 // time from which on they were
	last  [maxFields]int64 // time of the last sample of a field

	disk    identity // of a disk
	duplex  uint8    // of an interface
	control string   // of a remote host
}

// cells are the values of a thing in one scrape.
type cells struct {
	have   uint32
	values [maxFields]float64
	told   string // congestion control of a remote host
}

func (c *cells) has(fields uint32) bool { return c.have&fields == fields }

// fieldSet makes a set of fields.
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

	// told is what labels tell of disks and interfaces. node_exporter tells of
	// some of which it shows no counters.
	told = fieldSet(nicInfo)
)

// usable says whether the cells of a thing have all that a record needs.
func (t *thing) usable(c *cells) bool {
	switch t.kind {
	case ofDisk:
		return c.has(diskTimes) && (c.has(diskKinds) || c.has(fieldSet(diskIOs)))
	case ofInterface:
		return c.has(nicWork)
	case ofPeer:
		return c.has(peerSums) && (c.values[peerSockets] == 0 || c.has(peerMeans))
	}
	return true
}

// reached says whether every series of the thing has come as far as a time.
func (t *thing) reached(time int64) bool {
	for f := range maxFields {
		if t.live&(1<<f) != 0 && t.last[f] < time {
			return false
		}
	}
	return true
}

// strike no longer expects fields that are missing at a time and have not come
// since.
func (t *thing) strike(missing uint32, time int64) {
	for f := range maxFields {
		if missing&(1<<f) != 0 && t.last[f] <= time {
			t.live &^= 1 << f
		}
	}
}

// begunBefore says whether any of the fields was there ahead of a time: of a
// series that began later nothing is missing.
func (t *thing) begunBefore(fields uint32, time int64) bool {
	for f := range maxFields {
		if fields&(1<<f) != 0 && t.since[f] < time {
			return true
		}
	}
	return false
}

// note takes the time of a sample of a field.
func (t *thing) note(f uint8, time int64) {
	if t.live&(1<<f) == 0 || time < t.since[f] {
		t.since[f] = time
	}
	t.live |= 1 << f
	t.had |= 1 << f
	t.last[f] = max(t.last[f], time)
}

// ended notes that a field has no sample at a time, nor later. Of series that
// tell by their labels another may have begun at once.
func (t *thing) ended(f uint8, time int64) {
	if time <= t.last[f] {
		return
	}
	t.last[f] = time
	t.live &^= 1 << f
	t.had &^= 1 << f
}

// countable says whether a value can be that of a counter or a gauge of ours.
func countable(v float64) bool { return v >= 0 && v <= math.MaxUint64/2 }

// staleBits are those of the NaN that says that a series has ended.
const staleBits = 0x7ff0000000000002

func isStale(v float64) bool { return math.Float64bits(v) == staleBits }

// A scrape is what a machine told at one time, as far as it has come.
type scrape struct {
	time  int64 // ms since 1970
	cells []cells
	heard int64 // when the last of it came, in ns
	whole bool  // no more will come
}

// of is the cells of a thing.
func (s *scrape) of(t *thing) *cells {
	for len(s.cells) <= t.index {
		s.cells = append(s.cells, cells{})
	}
	return &s.cells[t.index]
}

// missing are the fields of a thing that were waited for and that the scrape
// does not have.
func (s *scrape) missing(t *thing) uint32 { return t.live &^ s.of(t).have }

// torn says whether the scrape has a part of a thing: no disk loses one of its
// counters.
func (s *scrape) torn(t *thing) bool {
	have := s.of(t).have
	return have&^told != 0 && t.begunBefore(t.had&^have, s.time)
}
