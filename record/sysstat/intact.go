package sysstat

import "bytes"

// A record that no other follows may be whole, or the first part of one with
// zeros or old bytes behind it that happen to add up. What it holds tells.

const (
	// maxGrowth: no counter of a day grows as much between two records.
	maxGrowth = 1 << 40
	// maxCounter: none gets there in the life of a host.
	maxCounter = 1 << 56
)

// intact says whether a record is good though no other follows it.
func (r *Reader) intact(rec *Record) bool {
	switch {
	case rec.Type == Restart && rec.file.Format == format2175:
		return rec.file.order.u32(rec.body[rec.data:]) > 0
	case rec.Type != Stats:
		return true
	}
	c := comparison{cur: rec, prev: r.last, mends: r.mends}
	if c.prev == nil || c.prev.Type != Stats {
		if !r.mends {
			return false
		}
		c.prev = &Record{file: rec.file}
	}
	return c.continues()
}

// A comparison holds Stats against those before, which they have to continue
// without counters that fell or leapt.
//
// Where doubt keeps a record, only signs of a tear count: what came before
// may be damaged itself, or there may be nothing. A tear that left zeros has
// them at the end of the record, and lost what was not zero before.
type comparison struct {
	cur, prev *Record
	mends     bool
	zeros     bool // cur ends in zeros
}

func (c *comparison) continues() bool {
	data := c.cur.body[c.cur.data:]
	held := bytes.TrimRight(data, "\x00")
	c.zeros = len(data)-len(held) >= 8 // a whole number is zero
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

// devicesContinue: devices come or go from one record to the next, not both
// at once and not all of them; none turns into a slot that is not in use;
// their counters go on. Split is the name of a device and some counters.
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
	return c.mends || stayed == min(len(cur), len(prev))
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

// goOn says whether counters can be those of before, some time later.
func (c *comparison) goOn(cur, prev []uint64) bool {
	for i, now := range cur {
		was := prev[i]
		fell := now < was && (!c.mends || now == 0 && was < maxCounter && c.lost())
		leapt := was > 0 && now > was && now-was >= maxGrowth
		if fell || leapt || now >= maxCounter {
			return false
		}
	}
	return true
}

// lost says whether what is no more may have been torn off.
func (c *comparison) lost() bool {
	return !c.mends || c.zeros
}
