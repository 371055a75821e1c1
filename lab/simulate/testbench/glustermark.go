package testbench

// glusterLarge is the largest size of PostMark's files on GlusterFS, as recorded.
const glusterLarge = 65536

// glusterMark is PostMark on GlusterFS. Names are on all servers. The data are on the servers that
// the volume chooses; they stay in the servers' caches and are read from there.
type glusterMark struct{ sim *sim }

func newGlusterMark(s *sim) *glusterMark { return &glusterMark{sim: s} }

func (*glusterMark) step(*client) {}

// name sends a change of a name to all servers, or to the server of a sharded file.
func (d *glusterMark) name(p *postMark, f *markFile) {
	note := op{action: store, request: rpcBytes, answer: rpcBytes, bytes: metaBytes}
	if d.sharded() {
		p.then(f.meta, ask)
		p.then(f.data, note)
		return
	}
	p.then(everywhere, note)
}

func (d *glusterMark) sharded() bool {
	v := d.sim.e.Conditions.Volume
	return v == Sharded || v == ""
}

// lockTime is the mean time that a client takes to lock, open and look up a file, before its
// change. A random time with the same mean is added.
const lockTime = 0.01

func (d *glusterMark) lock(p *postMark, c *client) {
	p.stages = append(p.stages, stage{wait: lockTime * (1 + c.rng.ExpFloat64())})
}

// put writes the given bytes, at least a page on each server.
func (d *glusterMark) put(p *postMark, f *markFile, bytes float64) {
	if d.sharded() {
		p.then(f.data, op{action: store, request: rpcBytes + bytes, answer: rpcBytes, bytes: pages(bytes)})
		return
	}
	fragment := bytes / float64(len(d.sim.servers)-redundant)
	p.then(everywhere, op{action: store, request: rpcBytes + fragment, answer: rpcBytes, bytes: pages(fragment)})
}

func (d *glusterMark) create(p *postMark, c *client, f *markFile) {
	f.bytes = markSmall + c.rng.Float64()*(glusterLarge-markSmall)
	d.lock(p, c)
	d.name(p, f)
	d.put(p, f, f.bytes)
}

func (d *glusterMark) remove(p *postMark, c *client, f *markFile) {
	d.lock(p, c)
	d.name(p, f)
}

// read asks the servers from which a file is read. They have it in memory.
func (d *glusterMark) read(p *postMark, c *client, f *markFile) {
	d.lock(p, c)
	if d.sharded() {
		p.then(f.data, op{action: reply, request: rpcBytes, answer: rpcBytes + f.bytes})
		return
	}
	n := len(d.sim.servers)
	for i := range n - redundant {
		p.then((f.data+i)%n, op{action: reply, request: rpcBytes, answer: rpcBytes + f.bytes/float64(n-redundant)})
	}
}

func (d *glusterMark) append(p *postMark, c *client, f *markFile, bytes float64) {
	d.lock(p, c)
	d.put(p, f, bytes)
}
