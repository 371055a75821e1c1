package testbench

// PostMark's default configuration (F10 §8.1).
const (
	markFiles   = 500
	markSmall   = 500 // least bytes of a file
	markLarge   = 9770
	pageBytes   = 4096
	markAtRange = 0.3 // share of the disk over which small files are scattered
)

// A stage is an operation that a transaction issues and waits for.
type stage struct {
	server int
	op     op
	wait   float64 // seconds to wait in place of an operation
}

// A markFile is one of PostMark's files.
type markFile struct {
	meta, data int // servers that hold its metadata, and its first stripe
	bytes      float64
}

// A dialect carries out PostMark's operations on a file system.
type dialect interface {
	create(*postMark, *client, *markFile)
	remove(*postMark, *client, *markFile)
	read(*postMark, *client, *markFile)
	append(*postMark, *client, *markFile, float64)
	step(*client)
}

// postMark creates, removes, reads and appends to small files, one operation after the other.
type postMark struct {
	dialect      dialect
	transactions int
	files        []markFile
	begun        bool // the initial files exist
	stages       []stage
	at           int // index of the present stage
	waiting      int
	ready        float64
}

func (p *postMark) done() bool { return p.transactions == 0 && p.at == len(p.stages) }

func (p *postMark) step(c *client) {
	p.dialect.step(c)
	for p.waiting == 0 && c.sim.now >= p.ready && !p.done() {
		if p.at == len(p.stages) {
			p.stages, p.at = p.stages[:0], 0
			p.transaction(c)
		}
		p.perform(c, &p.stages[p.at])
		p.at++
	}
}

func (p *postMark) perform(c *client, s *stage) {
	if s.wait > 0 {
		p.ready = c.sim.now + s.wait
		return
	}
	first, n := s.server, 1
	if s.server == everywhere {
		first, n = 0, len(c.sim.servers)
	}
	for i := range n {
		p.waiting++
		c.issue(first+i, s.op)
	}
}

func (p *postMark) answered(_ *client, o *op) {
	if o.tag == 0 { // the program does not wait for operations in the background
		p.waiting--
	}
}

// transaction adds the stages of a transaction of PostMark: it creates or removes a file, and reads
// or appends to a file.
func (p *postMark) transaction(c *client) {
	if !p.begun {
		p.makeFile(c)
		p.begun = len(p.files) == markFiles
		return
	}
	p.transactions--
	if c.rng.IntN(2) == 0 && len(p.files) > 1 {
		i := c.rng.IntN(len(p.files))
		p.dialect.remove(p, c, &p.files[i])
		p.files[i] = p.files[len(p.files)-1]
		p.files = p.files[:len(p.files)-1]
	} else {
		p.makeFile(c)
	}
	f := &p.files[c.rng.IntN(len(p.files))]
	if c.rng.IntN(2) == 0 {
		p.dialect.read(p, c, f)
		return
	}
	more := c.rng.Float64() * max(0, markLarge-f.bytes)
	p.dialect.append(p, c, f, more)
	f.bytes += more
}

func (p *postMark) makeFile(c *client) {
	n := len(c.sim.servers)
	p.files = append(p.files, markFile{meta: c.rng.IntN(n), data: c.rng.IntN(n), bytes: markSmall + c.rng.Float64()*(markLarge-markSmall)})
	p.dialect.create(p, c, &p.files[len(p.files)-1])
}

func (p *postMark) then(server int, o op) { p.stages = append(p.stages, stage{server: server, op: o}) }

// pages returns the size on the disk of the given bytes.
func pages(bytes float64) float64 {
	return pageBytes * float64(int((bytes+pageBytes-1)/pageBytes))
}

// somewhere draws the position of a small file.
func (c *client) somewhere() float64 {
	return pageBytes * float64(int(c.rng.Float64()*markAtRange*c.sim.model.Size/pageBytes))
}

// pvfsMark is PostMark on PVFS (F10 §12):
//
//   - Every path begins at "/". One server has the entries of "/".
//   - Another server has the entries of the client's own directory.
//   - A third server has the attributes of a file and, while the file is small, its data.
type pvfsMark struct {
	root, directory int
}

var (
	ask    = op{action: reply, request: rpcBytes, answer: rpcBytes}
	change = op{action: commit, request: rpcBytes, answer: rpcBytes}
)

func (pvfsMark) step(*client) {}

// lookup adds the stages that walk the path.
func (d pvfsMark) lookup(p *postMark) {
	p.then(d.root, ask)
	p.then(d.directory, ask)
}

// enter adds a change of the directory's entries. The kernel then asks for the attributes of the
// directory again.
func (d pvfsMark) enter(p *postMark) {
	p.then(d.directory, change)
	p.then(d.directory, ask)
}

func (d pvfsMark) create(p *postMark, c *client, f *markFile) {
	d.lookup(p)
	p.then(f.meta, change)
	d.enter(p)
	p.then(f.meta, putFile(c, f.bytes))
}

func (d pvfsMark) remove(p *postMark, _ *client, f *markFile) {
	d.lookup(p)
	p.then(f.meta, ask)
	d.enter(p)
	p.then(f.meta, change)
}

func (d pvfsMark) read(p *postMark, c *client, f *markFile) {
	d.lookup(p)
	p.then(f.meta, ask)
	p.then(f.meta, op{action: read, request: rpcBytes, answer: rpcBytes + f.bytes, bytes: pages(f.bytes), at: c.somewhere()})
}

func (d pvfsMark) append(p *postMark, c *client, f *markFile, bytes float64) {
	d.lookup(p)
	p.then(f.meta, ask)
	p.then(f.meta, putFile(c, bytes))
}

func putFile(c *client, bytes float64) op {
	return op{action: write, request: rpcBytes + bytes, answer: rpcBytes, bytes: max(pageBytes, pages(bytes)), at: c.somewhere()}
}

// lustreMark is PostMark on Lustre. A separate metadata server creates and removes files; their
// objects on the other servers exist already. Written data wait on the client for some time, and
// are read from there.
type lustreMark struct {
	later []delayed
	head  int
}

// delayed is a write that the client has not sent yet.
type delayed struct {
	at     float64
	server int
	op     op
}

// everywhere stands for all servers.
const everywhere = -1

const (
	metaServer = 4e-3 // mean seconds of the metadata server; a random time with the same mean is added
	writeDelay = 5.0  // seconds for which data wait on the client
	background = 1    // tag of operations that no program waits for
)

func (d *lustreMark) step(c *client) {
	for ; d.head < len(d.later) && d.later[d.head].at <= c.sim.now; d.head++ {
		w := &d.later[d.head]
		if w.server != everywhere {
			c.issue(w.server, w.op)
			continue
		}
		for s := range c.sim.servers {
			c.issue(s, w.op)
		}
	}
	if d.head == len(d.later) {
		d.later, d.head = d.later[:0], 0
	}
}

func (d *lustreMark) after(c *client, seconds float64, server int, o op) {
	o.tag = background
	d.later = append(d.later, delayed{c.sim.now + seconds, server, o})
}

func (d *lustreMark) metadata(p *postMark, c *client) {
	p.stages = append(p.stages, stage{wait: metaServer * (1 + c.rng.ExpFloat64())})
}

func (d *lustreMark) create(p *postMark, c *client, f *markFile) {
	d.metadata(p, c)
	d.after(c, writeDelay, f.data, putFile(c, f.bytes))
}

func (d *lustreMark) remove(p *postMark, c *client, _ *markFile) {
	d.metadata(p, c)
	d.after(c, writeDelay, everywhere, change)
}

func (d *lustreMark) read(p *postMark, c *client, _ *markFile) { d.metadata(p, c) }

func (d *lustreMark) append(p *postMark, c *client, f *markFile, bytes float64) {
	d.metadata(p, c)
	d.after(c, writeDelay, f.data, putFile(c, bytes))
}
