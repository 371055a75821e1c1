package sysstat

import "bytes"

// The last record of a file may be whole, or it may be the first part of a record with zeros or old
// bytes behind it that look valid. The reader decides by the content.

const (
	// maxGrowth: no counter grows by this much between two records of a day.
	maxGrowth = 1 << 40
	// maxCounter: no counter reaches this value in the life of a host.
	maxCounter = 1 << 56
)

// intact reports whether a record is good although no other record follows it.
func (r *Reader) intact(rec *Record) bool {
	switch {
	case rec.Type == Restart && rec.file.Format == format2175:
		return rec.file.order.u32(rec.body[rec.data:]) > 0
	case rec.Type != Stats:
		return true
	}
	c := comparison{cur: rec, prev: r.last, keepDoubtful: r.keepDoubtful}
	if c.prev == nil || c.prev.Type != Stats {
		if !r.keepDoubtful {
			return false
		}
		c.prev = &Record{file: rec.file}
	}
	return c.continues()
}

// A comparison compares Stats with the Stats before: counters must not decrease or jump.
//
// If keepDoubtful is set, doubtful records are kept, and only signs of a torn record count: the
// record before may be damaged itself, or missing. A torn record with zeros has them at its end,
// and counters that were not zero before are zero.
type comparison struct {
	cur, prev    *Record
	keepDoubtful bool
	zeros        bool // cur ends in zeros
}

func (c *comparison) continues() bool {
	data := c.cur.body[c.cur.data:]
	held := bytes.TrimRight(data, "\x00")
	c.zeros = len(data)-len(held) >= 8 // the last number is zero
	return len(held) > 0 && c.disks() && c.interfaces() && c.errors() && c.tcp()
}

func (c *comparison) disks() bool {
	return devicesContinue(c, DiskActivity, c.cur.Disks(nil), c.prev.Disks(nil),
		func(d *Disk) ([2]uint32, [3]uint64) {
			return [2]uint32{d.Major, d.Minor}, [3]uint64{d.IOs, d.ReadSectors, d.WriteSectors}
		})
}

func (c *comparison) interfaces() bool {
	return devicesContinue(c, InterfaceActivity, c.cur.Interfaces(nil), c.prev.Interfaces(nil),
		func(d *Interface) (string, [3]uint64) {
			return d.Name, [3]uint64{d.RxBytes, d.TxBytes, d.RxPackets}
		})
}

func (c *comparison) errors() bool {
	return devicesContinue(c, InterfaceErrorsActivity, c.cur.InterfaceErrors(nil), c.prev.InterfaceErrors(nil),
		func(d *InterfaceErrors) (string, [3]uint64) {
			return d.Name, [3]uint64{d.RxErrors, d.TxErrors, d.RxDropped}
		})
}

// devicesContinue reports whether the devices of an activity continue the devices of the record
// before:
//
//   - Devices come or go from one record to the next, but not both, and not all of them.
//   - No device turns into an unused slot.
//   - The counters of a device do not decrease or jump.
//
// split returns the name of a device and some of its counters.
func devicesContinue[T any, K comparable](
	c *comparison, activity uint32, cur, prev []T, split func(*T) (K, [3]uint64),
) bool {
	_, slots, _ := c.cur.Items(activity)
	_, before, _ := c.prev.Items(activity)
	if slots == 0 && before > 0 && c.lost() || slots-len(cur) > before-len(prev) {
		return false
	}
	known := make(map[K][3]uint64, len(prev))
	for i := range prev {
		name, counters := split(&prev[i])
		known[name] = counters
	}
	stayed := 0
	for i := range cur {
		name, now := split(&cur[i])
		was, ok := known[name]
		if !c.goOn(now[:], was[:]) {
			return false
		}
		if ok {
			stayed++
		}
	}
	return c.keepDoubtful || stayed == min(len(cur), len(prev))
}

func (c *comparison) tcp() bool {
	return c.goOn(tcpCounters(c.cur), tcpCounters(c.prev))
}

func tcpCounters(rec *Record) []uint64 {
	t, _ := rec.TCP()
	e, _ := rec.TCPErrors()
	return []uint64{
		t.ActiveOpens, t.PassiveOpens, t.InSegs, t.OutSegs,
		e.AttemptFails, e.EstabResets, e.RetransSegs, e.InErrs, e.OutRsts,
	}
}

// goOn reports whether cur can be later values of the counters prev.
func (c *comparison) goOn(cur, prev []uint64) bool {
	for i, now := range cur {
		was := prev[i]
		fell := now < was && (!c.keepDoubtful || now == 0 && was < maxCounter && c.lost())
		leapt := was > 0 && now > was && now-was >= maxGrowth
		if fell || leapt || now >= maxCounter {
			return false
		}
	}
	return true
}

// lost reports whether missing items may have been torn off.
func (c *comparison) lost() bool {
	return !c.keepDoubtful || c.zeros
}
