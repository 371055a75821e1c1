package testbench

// glusterClient is dd or IOzone on GlusterFS. It has some programs; each reads or writes its file
// again and again until the time is over.
type glusterClient struct {
	programs []*stream
	until    float64
	over     bool
}

// A stream is one program of a glusterClient.
type stream struct {
	number  int
	write   bool
	sync    bool // wait for the disks at the end of the file, as IOzone does
	file    *glusterFile
	popular *glusterFile
	hot     float64 // share of blocks in the hot file
	next    int     // index of the next block
	slots   []int   // by block in flight: number of parts without an answer
	ready   float64
	syncing int // number of answers of servers that are missing
	looked  int // block up to which the shards are looked up
	parts   []part
}

func (s *sim) newGlusterClient(client int) *glusterClient {
	w := s.e.Workload
	write := w == DDW || w == IOzoneW
	window := 1
	if !write {
		window = readWindow
	}
	p := &glusterClient{until: lead + duration}
	for i := range streams {
		p.programs = append(p.programs, &stream{
			number: i, write: write, sync: w == IOzoneW, slots: make([]int, window),
			file: s.newGlusterFile(1 + client*streams + i), popular: s.newGlusterFile(0), hot: s.e.Conditions.HotShare,
		})
	}
	return p
}

func (p *glusterClient) done() bool { return p.over }

func (p *glusterClient) step(c *client) {
	if p.over {
		return
	}
	late := c.sim.now >= p.until
	p.over = late
	for _, s := range p.programs {
		if !late {
			s.step(c)
		}
		p.over = p.over && s.quiet()
	}
}

func (p *glusterClient) answered(_ *client, o *op) {
	s := p.programs[o.tag%len(p.programs)]
	if slot := o.tag / len(p.programs); slot < len(s.slots) {
		s.slots[slot]--
		return
	}
	s.syncing--
}

func (s *stream) quiet() bool {
	for _, left := range s.slots {
		if left > 0 {
			return false
		}
	}
	return s.syncing == 0
}

// step requests as many blocks as may be in flight.
func (s *stream) step(c *client) {
	if s.syncing > 0 || c.sim.now < s.ready {
		return
	}
	for slot, left := range s.slots {
		if left > 0 {
			continue
		}
		if s.next == fileBlocks && !s.begin(c) {
			return
		}
		if s.lookUp(c) {
			return
		}
		s.ask(c, slot)
	}
}

// begin returns to the start of the file when all blocks are answered. If sync is set, it then waits
// until the file is on the disks.
func (s *stream) begin(c *client) bool {
	if !s.quiet() {
		return false
	}
	s.next, s.looked = 0, 0
	if !s.sync {
		return true
	}
	s.askAll(c, change)
	return false
}

// askAll sends an operation to every server, and waits for the answers.
func (s *stream) askAll(c *client, o op) {
	o.tag = s.number + streams*len(s.slots)
	for server := range c.sim.servers {
		s.syncing++
		c.issue(server, o)
	}
}

// lookUp asks all servers for the next shard of a file that is written, and reports whether it did.
// It asks once for each shard.
func (s *stream) lookUp(c *client) bool {
	if s.next < s.looked || !s.write {
		return false
	}
	s.looked = s.next + glusterShard/glusterBlock
	s.askAll(c, ask)
	return true
}

func (s *stream) ask(c *client, slot int) {
	file, block := s.file, s.next
	if s.hot > 0 && c.rng.Float64() < s.hot {
		file, block = s.popular, 0
	} else {
		s.next++
	}
	s.parts = file.parts(s.parts[:0], block, s.write)
	s.slots[slot] = len(s.parts)
	for _, p := range s.parts {
		o := op{action: read, request: rpcBytes, answer: rpcBytes + p.bytes, bytes: p.bytes, at: c.objectAt(p.server) + float64(block)*p.bytes, tag: s.number + streams*slot}
		if s.write {
			o.action, o.request, o.answer = store, rpcBytes+p.bytes, rpcBytes
		}
		c.issue(p.server, o)
	}
	s.ready = c.sim.now + thinkTime*c.rng.Float64()/c.speed
}
