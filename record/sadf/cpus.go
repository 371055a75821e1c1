package sadf

import (
	"strconv"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// allCPUs is sadf's name for all CPUs together.
const allCPUs = "-1"

// cpus is the report of -u ALL -P ALL.
type cpus struct {
	cur, ref []sysstat.CPU
	offline  []bool
}

func (t *cpus) columns() string {
	return "CPU;%usr;%nice;%sys;%iowait;%steal;%irq;%soft;%guest;%gnice;%idle"
}

func (t *cpus) read(rec *sysstat.Record) { t.cur = rec.CPUs(t.cur) }

func (t *cpus) keep() { t.cur, t.ref = t.ref, t.cur }

func (t *cpus) rows(p *printer) {
	var all, allRef sysstat.CPU
	var jiffies uint64
	t.offline = t.offline[:0]
	for i := range t.cur {
		c, ref := &t.cur[i], t.reference(i)
		t.offline = append(t.offline, total(c) == 0 || total(&ref) == 0)
		if total(c) == 0 {
			*c = ref // the counters of an offline CPU are kept until it comes back
		}
		if i > 0 {
			jiffies += spent(c, &ref)
			add(&all, c)
			add(&allRef, &ref)
		}
	}
	shares(p, allCPUs, &all, &allRef, jiffies)
	for i := 1; i < len(t.cur); i++ {
		if ref := t.reference(i); !t.offline[i] {
			shares(p, strconv.Itoa(i-1), &t.cur[i], &ref, spent(&t.cur[i], &ref))
		}
	}
}

func (t *cpus) reference(i int) (ref sysstat.CPU) {
	if i < len(t.ref) {
		ref = t.ref[i]
	}
	return ref
}

// total returns all jiffies. User and Nice include the jiffies of guests.
func total(c *sysstat.CPU) uint64 {
	return c.User + c.Nice + c.System + c.Idle + c.IOWait + c.Steal + c.IRQ + c.SoftIRQ
}

// spent returns the jiffies of an interval. If the guest time grew more than the user time, which
// includes it, user - guest decreases; spent adds the difference.
func spent(c, ref *sysstat.CPU) uint64 {
	lack := shortfall(c.User-c.Guest, ref.User-ref.Guest) +
		shortfall(c.Nice-c.GuestNice, ref.Nice-ref.GuestNice)
	return total(c) - total(ref) + lack
}

func shortfall(cur, ref uint64) uint64 {
	if cur < ref {
		return ref - cur
	}
	return 0
}

func add(sum, c *sysstat.CPU) {
	sum.User += c.User
	sum.Nice += c.Nice
	sum.System += c.System
	sum.Idle += c.Idle
	sum.IOWait += c.IOWait
	sum.Steal += c.Steal
	sum.IRQ += c.IRQ
	sum.SoftIRQ += c.SoftIRQ
	sum.Guest += c.Guest
	sum.GuestNice += c.GuestNice
}

// shares prints each kind of time as a percentage of the jiffies.
func shares(p *printer, name string, c, ref *sysstat.CPU, jiffies uint64) {
	p.row(name)
	share := func(cur, ref uint64) {
		v := 0.0
		if cur >= ref && jiffies > 0 {
			v = float64(cur-ref) / float64(jiffies) * 100
		}
		p.value(v)
	}
	share(c.User-c.Guest, ref.User-ref.Guest)
	share(c.Nice-c.GuestNice, ref.Nice-ref.GuestNice)
	share(c.System, ref.System)
	share(c.IOWait, ref.IOWait)
	share(c.Steal, ref.Steal)
	share(c.IRQ, ref.IRQ)
	share(c.SoftIRQ, ref.SoftIRQ)
	share(c.Guest, ref.Guest)
	share(c.GuestNice, ref.GuestNice)
	if name != allCPUs && jiffies == 0 {
		p.value(100) // the counters of a sleeping CPU do not grow
	} else {
		share(c.Idle, ref.Idle)
	}
	p.end()
}
