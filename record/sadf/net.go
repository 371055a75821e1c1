package sadf

import "github.com/limpet-storage/limpet/record/sysstat"

// interfaces is the report of -n DEV.
type interfaces struct {
	style    style
	cur, ref []sysstat.Interface
}

func (t *interfaces) columns() string {
	s := "IFACE;rxpck/s;txpck/s;rxkB/s;txkB/s;rxcmp/s;txcmp/s;rxmcst/s"
	if t.style.ifutil {
		s += ";%ifutil"
	}
	return s
}

func (t *interfaces) read(rec *sysstat.Record) { t.cur = rec.Interfaces(t.cur) }

func (t *interfaces) keep() { t.cur, t.ref = t.ref, t.cur }

func (t *interfaces) rows(p *printer) {
	for i := range t.cur {
		c := &t.cur[i]
		var zero sysstat.Interface
		ref := &zero
		k := paired(i, len(t.ref), func(k int) bool { return t.ref[k].Name == c.Name })
		if k >= 0 && !reset(c, &t.ref[k]) {
			ref = &t.ref[k]
		}
		rx, tx := p.rate(c.RxBytes-ref.RxBytes), p.rate(c.TxBytes-ref.TxBytes)
		p.row(c.Name)
		p.rates(c.RxPackets-ref.RxPackets, c.TxPackets-ref.TxPackets)
		p.value(rx / 1024)
		p.value(tx / 1024)
		p.rates(c.RxCompressed-ref.RxCompressed, c.TxCompressed-ref.TxCompressed, c.Multicast-ref.Multicast)
		if t.style.ifutil {
			p.value(utilisation(c, rx, tx))
		}
		p.end()
	}
}

// reset reports whether an interface began to count again from 0: a counter has decreased, and not
// by an overflow. It is an overflow if packets grew while bytes decreased from the upper half of
// their range, or the other way round.
func reset(c, ref *sysstat.Interface) bool {
	fell := c.RxPackets < ref.RxPackets || c.TxPackets < ref.TxPackets ||
		c.RxBytes < ref.RxBytes || c.TxBytes < ref.TxBytes ||
		c.RxCompressed < ref.RxCompressed || c.TxCompressed < ref.TxCompressed ||
		c.Multicast < ref.Multicast
	ranOver := func(c, ref, other, otherRef uint64) bool {
		return c < ref && other > otherRef && ref > 1<<63-1
	}
	return fell &&
		!ranOver(c.RxBytes, ref.RxBytes, c.RxPackets, ref.RxPackets) &&
		!ranOver(c.TxBytes, ref.TxBytes, c.TxPackets, ref.TxPackets) &&
		!ranOver(c.RxPackets, ref.RxPackets, c.RxBytes, ref.RxBytes) &&
		!ranOver(c.TxPackets, ref.TxPackets, c.TxBytes, ref.TxBytes)
}

// utilisation returns the used share of an interface's speed in percent; rx and tx are bytes a
// second.
func utilisation(c *sysstat.Interface, rx, tx float64) float64 {
	if c.SpeedMbit == 0 {
		return 0
	}
	used := rx + tx
	if c.Duplex == sysstat.FullDuplex {
		used = max(rx, tx)
	}
	return used * 800 / float64(uint64(c.SpeedMbit)*1_000_000)
}

// interfaceErrors is the report of -n EDEV.
type interfaceErrors struct {
	cur, ref []sysstat.InterfaceErrors
}

func (t *interfaceErrors) columns() string {
	return "IFACE;rxerr/s;txerr/s;coll/s;rxdrop/s;txdrop/s;txcarr/s;rxfram/s;rxfifo/s;txfifo/s"
}

func (t *interfaceErrors) read(rec *sysstat.Record) { t.cur = rec.InterfaceErrors(t.cur) }

func (t *interfaceErrors) keep() { t.cur, t.ref = t.ref, t.cur }

func (t *interfaceErrors) rows(p *printer) {
	for i := range t.cur {
		c := &t.cur[i]
		var ref sysstat.InterfaceErrors
		k := paired(i, len(t.ref), func(k int) bool { return t.ref[k].Name == c.Name })
		if k >= 0 && !errorsReset(c, &t.ref[k]) {
			ref = t.ref[k]
		}
		p.row(c.Name)
		p.rates(c.RxErrors-ref.RxErrors, c.TxErrors-ref.TxErrors, c.Collisions-ref.Collisions,
			c.RxDropped-ref.RxDropped, c.TxDropped-ref.TxDropped, c.TxCarrier-ref.TxCarrier,
			c.RxFrame-ref.RxFrame, c.RxFIFO-ref.RxFIFO, c.TxFIFO-ref.TxFIFO)
		p.end()
	}
}

// errorsReset reports whether an interface began to count again from 0. As in sysstat, the counter
// of receive errors is not checked.
func errorsReset(c, ref *sysstat.InterfaceErrors) bool {
	return c.TxErrors < ref.TxErrors || c.Collisions < ref.Collisions ||
		c.RxDropped < ref.RxDropped || c.TxDropped < ref.TxDropped ||
		c.TxCarrier < ref.TxCarrier || c.RxFrame < ref.RxFrame ||
		c.RxFIFO < ref.RxFIFO || c.TxFIFO < ref.TxFIFO
}

// tcp is the report of -n TCP.
type tcp struct {
	cur, ref sysstat.TCP
}

func (t *tcp) columns() string { return "active/s;passive/s;iseg/s;oseg/s" }

func (t *tcp) read(rec *sysstat.Record) { t.cur, _ = rec.TCP() }

func (t *tcp) keep() { t.ref = t.cur }

func (t *tcp) rows(p *printer) {
	c, r, sub := &t.cur, &t.ref, p.header.Sub
	p.row("")
	p.rates(sub(c.ActiveOpens, r.ActiveOpens), sub(c.PassiveOpens, r.PassiveOpens),
		sub(c.InSegs, r.InSegs), sub(c.OutSegs, r.OutSegs))
	p.end()
}

// tcpErrors is the report of -n ETCP.
type tcpErrors struct {
	style    style
	cur, ref sysstat.TCPErrors
}

func (t *tcpErrors) columns() string {
	if t.style.retrseg {
		return "atmptf/s;estres/s;retrseg/s;isegerr/s;orsts/s"
	}
	return "atmptf/s;estres/s;retrans/s;isegerr/s;orsts/s"
}

func (t *tcpErrors) read(rec *sysstat.Record) { t.cur, _ = rec.TCPErrors() }

func (t *tcpErrors) keep() { t.ref = t.cur }

func (t *tcpErrors) rows(p *printer) {
	c, r, sub := &t.cur, &t.ref, p.header.Sub
	p.row("")
	p.rates(sub(c.AttemptFails, r.AttemptFails), sub(c.EstabResets, r.EstabResets),
		sub(c.RetransSegs, r.RetransSegs), sub(c.InErrs, r.InErrs), sub(c.OutRsts, r.OutRsts))
	p.end()
}
