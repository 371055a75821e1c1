package metric

// Disk holds the cumulative counters of a block device, as in /proc/diskstats and in
// activity files.
//
// The counters of milliseconds have 32 bits and wrap: with 32 requests in flight, QueueMs wraps
// after a day and a half. The other counters of milliseconds wrap after 49.7 days of waiting or
// busy time.
type Disk struct {
	IOs            uint64
	ReadSectors    uint64
	WriteSectors   uint64
	DiscardSectors uint64
	ReadMs         uint32
	WriteMs        uint32
	DiscardMs      uint32
	BusyMs         uint32
	QueueMs        uint32
	Narrow         bool // the C type long has 32 bits on the recorded machine, so the counters of requests and sectors have 32 bits too
}

// DiskWork is the work of a device between two readings of its counters.
type DiskWork struct {
	IOs     uint64
	Read    uint64 // sectors
	Written uint64 // sectors
	Moved   uint64 // sectors read, written and discarded
	WaitMs  uint64 // waiting time, summed over the requests
	BusyMs  uint64
	QueueMs uint64
}

// Since returns the work of the device since an earlier reading. It returns false if a counter
// decreased without a wrap. The device was then reset or replaced, and its work is unknown.
func (d *Disk) Since(before *Disk) (DiskWork, bool) {
	s := span{narrow: d.Narrow}
	read := s.count(d.ReadSectors, before.ReadSectors)
	written := s.count(d.WriteSectors, before.WriteSectors)
	w := DiskWork{
		IOs:     s.count(d.IOs, before.IOs),
		Read:    read,
		Written: written,
		Moved:   read + written + s.count(d.DiscardSectors, before.DiscardSectors),
		WaitMs:  s.ticks(d.ReadMs, before.ReadMs) + s.ticks(d.WriteMs, before.WriteMs) + s.ticks(d.DiscardMs, before.DiscardMs),
		BusyMs:  s.ticks(d.BusyMs, before.BusyMs),
		QueueMs: s.ticks(d.QueueMs, before.QueueMs),
	}
	return w, !s.reset
}

// Value returns the metric with index m in [Device]. The counters were read dt seconds apart. Value
// turns counters into a latency: await is the waiting time divided by the number of requests. For a
// device without requests, await, svctm and avgrq-sz are 0 and not missing (L13 §5.2.1).
func (w *DiskWork) Value(m int, dt float64) float64 {
	switch m {
	case atTPS:
		return float64(w.IOs) / dt
	case atRdSec:
		return float64(w.Read) / dt
	case atWrSec:
		return float64(w.Written) / dt
	case atAvgRqSz:
		return w.perIO(w.Moved)
	case atAvgQuSz:
		return float64(w.QueueMs) / (1000 * dt)
	case atAwait:
		return w.perIO(w.WaitMs)
	case atSvcTm:
		return w.perIO(w.BusyMs)
	}
	return 100 * float64(w.BusyMs) / (1000 * dt) // only the metric atUtil is left
}

func (w *DiskWork) perIO(sum uint64) float64 {
	if w.IOs == 0 {
		return 0
	}
	return float64(sum) / float64(w.IOs)
}

// Values returns all metrics of [Device], in the same order. The counters were read dt seconds
// apart.
func (w *DiskWork) Values(dt float64) (values [8]float64) {
	for m := range values {
		values[m] = w.Value(m, dt)
	}
	return values
}
