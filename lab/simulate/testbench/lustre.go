package testbench

// Settings of Lustre 1.6 (F10 §6.1, footnote 2).
const (
	lustreStripe = 1 << 20
	dirtyMax     = 32 // number of stripes that a client holds for one server
	readAheadMax = 40 // number of stripes that a client reads in advance
	rpcsInFlight = 8  // number of RPCs in flight from one client to one server
)

// writeBehind is dd or IOzone that writes on Lustre. The program continues until it holds too many
// unwritten stripes for one server.
type writeBehind struct {
	count   int // number of stripes in a phase
	phases  int
	next    int // index of the stripe that the program writes next
	budget  float64
	dirty   []int // by server: number of stripes that are not on its disk yet
	unsent  []int // by server: number of dirty stripes that are not sent yet
	flight  []int
	sentAt  []int // by server: number of stripes sent in this phase
	pending int   // number of dirty stripes of all servers
}

func newWriteBehind(servers, count, phases int) *writeBehind {
	return &writeBehind{
		count: count, phases: phases,
		dirty: make([]int, servers), unsent: make([]int, servers), flight: make([]int, servers), sentAt: make([]int, servers),
	}
}

func (p *writeBehind) done() bool { return p.phases == 0 }

func (p *writeBehind) step(c *client) {
	if p.phases == 0 {
		return
	}
	p.budget = min(p.budget+tick*copyBytes*c.speed/lustreStripe, 10)
	n := len(p.dirty)
	for p.budget >= 1 && p.next < p.count && p.dirty[p.next%n] < dirtyMax {
		s := p.next % n
		p.dirty[s]++
		p.unsent[s]++
		p.pending++
		p.next++
		p.budget--
	}
	for s := range p.unsent {
		p.flush(c, s)
	}
	if p.next == p.count && p.pending == 0 { // close or fsync has waited for the disks
		p.next = 0
		p.phases--
		clear(p.sentAt)
	}
}

func (p *writeBehind) flush(c *client, s int) {
	for p.unsent[s] > 0 && p.flight[s] < rpcsInFlight {
		at := c.objectAt(s) + float64(p.sentAt[s])*lustreStripe
		c.issue(s, op{action: write, request: rpcBytes + lustreStripe, answer: rpcBytes, bytes: lustreStripe, at: at})
		p.unsent[s]--
		p.flight[s]++
		p.sentAt[s]++
	}
}

func (p *writeBehind) answered(c *client, o *op) {
	s := o.server.index
	p.flight[s]--
	p.dirty[s]--
	p.pending--
	p.flush(c, s)
}

// readAhead is dd or IOzone that reads on Lustre. Stripes are fetched before the program needs
// them.
type readAhead struct {
	count  int
	phases int
	next   int // index of the stripe that the program needs next
	asked  int // number of stripes that were requested
	budget float64
	here   [readAheadMax]bool
	flight []int
}

func newReadAhead(servers, count, phases int) *readAhead {
	return &readAhead{count: count, phases: phases, flight: make([]int, servers)}
}

func (p *readAhead) done() bool { return p.phases == 0 }

func (p *readAhead) step(c *client) {
	if p.phases == 0 {
		return
	}
	p.budget = min(p.budget+tick*copyBytes*c.speed/lustreStripe, 10)
	for p.budget >= 1 && p.next < p.asked && p.here[p.next%readAheadMax] {
		p.here[p.next%readAheadMax] = false
		p.next++
		p.budget--
	}
	if p.next == p.count {
		p.next, p.asked = 0, 0
		p.phases--
		return
	}
	p.fetch(c)
}

// fetch requests stripes in the order of the file, and stops at a server with rpcsInFlight RPCs
// in flight.
func (p *readAhead) fetch(c *client) {
	for n := len(p.flight); p.asked < min(p.count, p.next+readAheadMax); p.asked++ {
		s := p.asked % n
		if p.flight[s] == rpcsInFlight {
			return
		}
		at := c.objectAt(s) + float64(p.asked/n)*lustreStripe
		c.issue(s, op{action: read, request: rpcBytes, answer: rpcBytes + lustreStripe, bytes: lustreStripe, at: at, tag: p.asked})
		p.flight[s]++
	}
}

func (p *readAhead) answered(c *client, o *op) {
	p.flight[o.server.index]--
	p.here[o.tag%readAheadMax] = true
	p.fetch(c)
}
