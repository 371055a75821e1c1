package testbench

// pvfsStripe is the size of a stripe (F10 §3).
const pvfsStripe = 64 << 10

// records is dd or IOzone on PVFS. It reads or writes one record after another. Each record is
// striped over all servers, and the program waits for it, because nothing is cached (F10 §6.1).
type records struct {
	write   bool
	bytes   float64 // size of a record
	count   int     // number of records in a phase
	phases  int
	next    int // index of the next record
	waiting int
	ready   float64 // time of the next request of the program
}

func (p *records) done() bool { return p.phases == 0 }

func (p *records) step(c *client) {
	if p.waiting > 0 || p.phases == 0 || c.sim.now < p.ready {
		return
	}
	if p.next == p.count {
		p.next = 0
		p.phases--
		p.sync(c)
		return
	}
	n := len(c.sim.servers)
	stripes := int(p.bytes / pvfsStripe)
	first := p.next * stripes % n
	for s := range n {
		mine := stripes / n
		if (s-first+n)%n < stripes%n {
			mine++
		}
		if mine > 0 {
			p.ask(c, s, float64(mine*pvfsStripe))
		}
	}
	p.next++
}

// ask reads or writes a server's part of the record, in the order of the file.
func (p *records) ask(c *client, server int, bytes float64) {
	part := p.bytes / float64(len(c.sim.servers)) // on average
	o := op{action: read, request: rpcBytes, answer: rpcBytes + bytes, bytes: bytes, at: c.objectAt(server) + float64(p.next)*part}
	if p.write {
		o.action, o.request, o.answer = write, rpcBytes+bytes, rpcBytes
	}
	p.waiting++
	c.issue(server, o)
}

// sync asks every server to write all data to its disk, as IOzone does between its phases.
func (p *records) sync(c *client) {
	for s := range c.sim.servers {
		p.waiting++
		c.issue(s, op{action: commit, request: rpcBytes, answer: rpcBytes})
	}
}

func (p *records) answered(c *client, _ *op) {
	p.waiting--
	if p.waiting == 0 {
		p.ready = c.sim.now + c.compute(p.bytes)
	}
}
