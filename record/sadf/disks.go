package sadf

import (
	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// disks is the report of sadf -d -- -d:
//
//	vm;1;2026-11-14 23:50:56 UTC;loop2;95.00;20.00;102440.00;0.00;1078.53;4.47;46.52;23.60
type disks struct {
	style     style
	inventory *sysstat.Inventory
	cur, ref  []sysstat.Disk
	names     []string
	named     []sysstat.Disk // the disks that names belong to
	changes   int            // number of changes of the inventory when names was made
}

func (t *disks) columns() string {
	switch {
	case t.style.sectors:
		return "DEV;tps;rd_sec/s;wr_sec/s;avgrq-sz;avgqu-sz;await;svctm;%util"
	case t.style.svctm:
		return "DEV;tps;rkB/s;wkB/s;areq-sz;aqu-sz;await;svctm;%util"
	}
	return "DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util"
}

func (t *disks) read(rec *sysstat.Record) {
	t.cur = rec.Disks(t.cur)
}

func (t *disks) keep() {
	t.cur, t.ref = t.ref, t.cur
}

func (t *disks) rows(p *printer) {
	t.name()
	for i := range t.cur {
		c := &t.cur[i]
		var zero sysstat.Disk
		ref := &zero
		if k := t.find(i); k >= 0 && !replaced(c, &t.ref[k]) {
			ref = &t.ref[k]
		}
		p.row(t.names[i])
		t.row(p, c, ref)
		p.end()
	}
}

func (t *disks) find(i int) int {
	c := &t.cur[i]
	return paired(i, len(t.ref), func(k int) bool {
		return t.ref[k].Major == c.Major && t.ref[k].Minor == c.Minor
	})
}

// replaced reports whether another device has taken the number since: all counters have decreased.
func replaced(c, ref *sysstat.Disk) bool {
	return c.IOs < ref.IOs &&
		(ref.ReadSectors == 0 || c.ReadSectors < ref.ReadSectors) &&
		(ref.WriteSectors == 0 || c.WriteSectors < ref.WriteSectors) &&
		(ref.DiscardSectors == 0 || c.DiscardSectors < ref.DiscardSectors)
}

func (t *disks) row(p *printer, c, ref *sysstat.Disk) {
	h := p.header
	ios := c.IOs - ref.IOs
	read := h.Sub(c.ReadSectors, ref.ReadSectors)
	written := h.Sub(c.WriteSectors, ref.WriteSectors)
	discarded := h.Sub(c.DiscardSectors, ref.DiscardSectors)
	ticks := c.ReadTicks - ref.ReadTicks + c.WriteTicks - ref.WriteTicks + c.DiscardTicks - ref.DiscardTicks
	busy := p.rate(uint64(c.BusyTicks - ref.BusyTicks))
	var size, await, svctm float64
	if ios != 0 {
		size = float64(read+written+discarded) / float64(ios)
		await = float64(ticks) / float64(ios)
		svctm = busy / (float64(ios) * 100 / p.interval)
	}
	if t.style.guarded {
		if c.BusyTicks < ref.BusyTicks {
			busy = 0
		}
		if c.IOs < ref.IOs {
			size, await = 0, 0
		}
	}
	kB := 2.0
	if t.style.sectors {
		kB = 1
	}
	p.value(p.rate(ios))
	p.value(p.rate(read) / kB)
	p.value(p.rate(written) / kB)
	if !t.style.svctm {
		p.value(p.rate(discarded) / kB)
	}
	p.value(size / kB)
	p.value(p.rate(uint64(c.QueueTicks-ref.QueueTicks)) / 1000)
	p.value(await)
	if t.style.svctm {
		p.value(svctm)
	}
	p.value(busy / 10)
}

// name fills in the names of the disks, if the disks or the inventory have changed.
func (t *disks) name() {
	same := len(t.named) == len(t.cur) && t.changes == t.inventory.Changes()
	for i := 0; same && i < len(t.cur); i++ {
		same = t.named[i].Major == t.cur[i].Major && t.named[i].Minor == t.cur[i].Minor
	}
	if same {
		return
	}
	t.named, t.changes = append(t.named[:0], t.cur...), t.inventory.Changes()
	if t.style.names {
		t.names = t.inventory.Names(t.cur, t.names)
		return
	}
	t.names = t.names[:0]
	for i := range t.cur {
		t.names = append(t.names, devname.Number(t.cur[i].Major, t.cur[i].Minor))
	}
}
